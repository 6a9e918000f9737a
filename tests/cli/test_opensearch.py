#!/usr/bin/env python3
"""test_opensearch.py BUILD_DIR: `postern opensearch build`, `assemble` and `route`, judged without OpenSearch (tests/opensearch has the node)."""
import gzip
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

import command

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "opensearch"), str(TESTS.parent / "examples")]
import opensearch_routing  # noqa: E402
from repository import Repository, read_dat  # noqa: E402

# Every document has the tag "all", and its own name and version stored where `postern lookup` shows them.
MAPPINGS = {"properties": {"title": {"type": "text"}, "n": {"type": "long"}, "tag": {"type": "keyword"},
                           "name": {"type": "text", "store": True}, "v": {"type": "text", "store": True}}}


def bulk(documents):
    """NDJSON of (id, source[, routing[, action]])."""
    lines = []
    for id, source, *more in documents:
        action = {"_id": id} if id is not None else {}
        if more and more[0] is not None:
            action["routing"] = more[0]
        lines += [json.dumps({more[1] if len(more) > 1 else "index": action}), source if isinstance(source, str) else json.dumps(source)]
    return "".join(line + "\n" for line in lines)


class OpenSearchTest(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.mappings = self.write("mappings.json", json.dumps(MAPPINGS))
        self.repo = self.folder / "repo"
        self.extracted = 0

    def opensearch(self, what, *words, **options):
        return self.run_command("opensearch", what, *words, **options)

    def build_index(self, *words, shards=1, repository=None, mappings=None, **options):
        return self.opensearch("build", "--mappings", mappings or self.mappings, "--index", "docs", "--shards", shards, "--repository",
                               repository or self.repo, *words, **options)

    def report(self, *words, **options):
        out, err = self.build_index("--json", *words, **options)
        return json.loads(out), err

    def documents(self, repository=None):
        """{(shard, name): version} of a repository, each shard sound and its files as the repository says."""
        repository = Repository(repository or self.repo)
        repository.check()
        found = {}
        for shard in range(repository.shard_count):
            self.extracted += 1
            folder = repository.extract(shard, self.folder / f"extracted{self.extracted}")
            self.run_command("check", "--quiet", folder)
            info = json.loads(self.run_command("info", "--json", folder)[0])
            live = 0
            for name, version in self.stored(folder):
                self.assertNotIn((shard, name), found, "it is there twice")
                found[shard, name] = version
                live += 1
            data = info["commits"][0]["user_data"]
            self.assertEqual(data["max_seq_no"], data["local_checkpoint"])
            self.assertGreaterEqual(int(data["max_seq_no"]), live - 1)
            self.assertEqual(22, len(data["translog_uuid"]))
        return found

    def stored(self, folder):
        """(name, version) of each live document."""
        out, _ = self.run_command("lookup", "--index", folder, "--field", "tag", "--first", 1000000, "--json", "all")
        for hit in json.loads(out)["first"]:
            fields = dict(hit["stored"])
            yield fields["name"], fields["v"]

    def leaves_nothing(self):
        self.assertFalse((self.repo / "index.latest").exists())
        self.assertEqual([], [p for p in self.repo.rglob("*") if p.is_file()] if self.repo.exists() else [])


def document(name, version="1", **more):
    return {"name": name, "v": version, "tag": "all", **more}


def many(n):
    return [(f"id-{i}", document(f"id-{i}", n=i), f"r{i % 7}" if i % 5 == 0 else None) for i in range(n)]


def expected(documents, shards):
    return {(opensearch_routing.shard_of(more[0] if more and more[0] else id, shards), id): source["v"] for id, source, *more in documents}


class Build(OpenSearchTest):
    def test_documents_are_in_the_shards_where_opensearch_looks(self):
        documents = many(500)
        for shards in (1, 3, 5):
            shutil.rmtree(self.repo, ignore_errors=True)
            out, err = self.build_index(self.write("in.ndjson", bulk(documents)), shards=shards)
            self.assertEqual("", err)
            self.assertEqual(expected(documents, shards), self.documents())
            put, restore = out.splitlines()[-2:]
            self.assertIn(f"curl -H 'Content-Type: application/json' -X PUT 'http://localhost:9200/_snapshot/postern' -d ", put)
            location = json.loads(put.split(" -d ")[1].strip("'"))["settings"]["location"]
            self.assertEqual(str(self.repo.resolve()), location)
            self.assertIn("/_snapshot/postern/built/_restore?wait_for_completion=true", restore)

    def test_the_repository_is_as_opensearch_wants_it(self):
        mappings = self.write("index.json", json.dumps({"docs": {"aliases": {}, "mappings": MAPPINGS, "settings": {"index": {"number_of_shards": "9"}}}}))
        self.build_index("--opensearch-version", "3.6.1", "--index-routing-shards", 30, self.write("in.ndjson", bulk(many(20))), shards=3, mappings=mappings)
        repository = Repository(self.repo)
        self.assertEqual(("docs", 3, 30), (repository.name, repository.shard_count, repository.metadata["routing_num_shards"]))
        settings = repository.metadata["settings"]
        self.assertEqual(("3", str(((3 * 10000 + 600 + 1) * 100 + 99) ^ 1 << 27)), (settings["index.number_of_shards"], settings["index.version.created"]))
        self.assertEqual([1, 1, 1], repository.metadata["primary_terms"])
        self.assertEqual({**MAPPINGS["properties"]}, repository.mappings["properties"])
        self.assertEqual({"index-0", "index.latest", "indices", f"snap-{repository.snapshot['uuid']}.dat"}, {p.name for p in self.repo.iterdir()})
        for shard in range(3):
            names = {f["name"] for f in repository.shard_files(shard) if not f["name"].startswith("v__")}
            self.assertEqual(names | {f"snap-{repository.snapshot['uuid']}.dat"}, {p.name for p in (repository.index_folder / str(shard)).iterdir()})

    def test_inputs_of_all_kinds_are_the_same(self):
        documents = [(id, source) for id, source, *_ in many(50)]
        lines = "".join(json.dumps({"meta": {"id": id}, **source}) + "\n" for id, source in documents)
        plain = self.write("in.ndjson", bulk(documents))
        packed = self.write("in.gz", gzip.compress(bulk(documents).encode()))
        for i, (words, stdin) in enumerate([([plain], b""), ([packed], b""), (["-"], bulk(documents).encode()),
                                            (["--id-field", "meta.id", self.write("in.jsonl", lines)], b""),
                                            (["--id-field", "meta.id", "--input-format", "jsonl", "-"], lines.encode())]):
            repository = self.folder / f"repo{i}"
            self.build_index(*words, shards=2, repository=repository, stdin=stdin)
            self.assertEqual(expected(documents, 2), self.documents(repository))

    def test_routing_comes_from_a_field_too(self):
        lines = "".join(json.dumps({**document(f"{i}"), "user": f"u{i % 3}"}) + "\n" for i in range(40))
        self.build_index("--id-field", "name", "--routing-field", "user", self.write("in.jsonl", lines), shards=5)
        self.assertEqual({(opensearch_routing.shard_of(f"u{i % 3}", 5), f"{i}"): "1" for i in range(40)}, self.documents())

    def test_documents_without_ids_get_some(self):
        self.build_index(self.write("in.ndjson", bulk([(None, document(f"d{i}")) for i in range(30)])), shards=3)
        self.assertEqual({f"d{i}" for i in range(30)}, {name for _, name in self.documents()})

    def test_empty_shards_and_empty_inputs(self):
        self.build_index(self.write("in.ndjson", bulk([("a", document("a"))])), shards=7)
        self.assertEqual(1, len(self.documents()))
        self.build_index(self.write("none.ndjson", ""), shards=2, repository=self.folder / "none")
        self.assertEqual({}, self.documents(self.folder / "none"))

    def test_a_small_budget_makes_more_segments(self):
        documents = many(6000)
        for id, source, *_ in documents:
            source["title"] = f"some text of {id} " * 20
        report, _ = self.report("--ram-mb", 2, "--threads", 3, self.write("in.ndjson", bulk(documents)), shards=3)
        self.assertGreater(min(s["segments"] for s in report["shards"]), 1)
        self.assertEqual(expected(documents, 3), self.documents())

    def test_the_report(self):
        report, err = self.report("--on-error", "skip", "--duplicates", "last",
                                  self.write("in.ndjson", bulk([("a", document("a")), ("b", document("b", n="x")), ("a", document("a", "2"))])))
        self.assertEqual((3, 1, 1, 1, True, None), tuple(report[k] for k in ("read", "documents", "refused", "replaced", "complete", "error")))
        self.assertIn("refused: ", err)
        self.assertEqual([0, 1], [report["shards"][0][k] for k in ("shard", "documents")])


class Refusals(OpenSearchTest):
    def refused(self, text, *words, **options):
        _, err = self.build_index(*words, self.write("in.ndjson", text), code=1, **options)
        self.leaves_nothing()
        self.assertIn("holds no repository", err)
        return err

    def test_lines_that_cannot_be_taken_are_named(self):
        for text, message in [
            (bulk([("a", document("a")), ("b", {"n": "many"})]), "in.ndjson line 3: "),
            (bulk([("a", document("a"))]) + '{"delete":{"_id":"a"}}\n', 'line 3: "delete" actions cannot be built'),
            ('{"index":{"_index":"other","_id":"a"}}\n{}\n', 'line 1: the action is for the index "other", not "docs"'),
            ('{"index":{"_id":"a","pipeline":"p"}}\n{}\n', 'the action\'s parameter "pipeline" is not supported'),
            ('{"index":{"_id":"%s"}}\n{}\n' % ("x" * 513), "the id has 513 bytes, more than 512"),
            ('{"index":{"_id":"a"}}\n{"a":1}\n{"b":1}\n', "line 3: not a _bulk action"),
            ('{"index":{"_id":"a"}}\n[1]\n', "line 1"),
            ('{"x":1}\n{"index":{"_id":"a"}}\n', "line 2: this looks like a _bulk action among documents"),
        ]:
            self.assertIn(message, self.refused(text))

    def test_a_line_that_is_no_action_cannot_be_skipped(self):
        self.assertIn("line 3: not a _bulk action", self.refused(bulk([("a", document("a"))]) + "oops\n", "--on-error", "skip"))

    def test_skipped_documents_cost_only_themselves(self):
        text = bulk([("a", document("a")), ("b", {"n": "many"})]) + '{"delete":{"_id":"a"}}\n' + bulk([("c", document("c"))])
        report, err = self.report("--on-error", "skip", self.write("in.ndjson", text))
        self.assertEqual(2, report["refused"])
        self.assertEqual(2, err.count("refused: "))
        self.assertEqual({(0, "a"): "1", (0, "c"): "1"}, self.documents())

    def test_options_are_looked_at_first(self):
        fine = self.write("in.ndjson", bulk([("a", document("a"))]))
        for words, message in [(["--index", "Docs"], "lower case"), (["--index", "a/b"], "cannot be the name"), (["--opensearch-version", "3.5.0"], "3.6"),
                               (["--shards", 0], "1 to 1024"), (["--shard", 3], "there is no shard 3 among 3"),
                               (["--index-routing-shards", 4], "must be a multiple"), (["--id-field", "x"], "--id-field")]:
            options = {"--mappings": self.mappings, "--index": "docs", "--shards": 3, "--repository": self.repo, **dict([words])}
            _, err = self.opensearch("build", *[w for pair in options.items() for w in pair], fine, code=1)
            self.assertIn(message, err)
            self.leaves_nothing()
        for path, message in [("nowhere", "there is no input"), (self.folder, "is a folder")]:
            self.assertIn(message, self.build_index(path, code=1)[1])
        self.assertIn("mappings.bad", self.build_index(fine, mappings=self.write("mappings.bad", "{"), code=1)[1])

    def test_a_repository_is_never_written_over(self):
        fine = self.write("in.ndjson", bulk([("a", document("a"))]))
        self.build_index(fine)
        before = sorted(self.repo.rglob("*"))
        self.assertIn("already holds a snapshot repository", self.build_index(fine, code=1)[1])
        self.assertEqual(before, sorted(self.repo.rglob("*")))


class Duplicates(OpenSearchTest):
    def test_error_names_both_places(self):
        other = self.write("b.ndjson", bulk([("x", document("x")), ("a", document("a", "2"))]))
        _, err = self.build_index("--threads", 1, self.write("a.ndjson", bulk([("a", document("a"))])), other, code=1)
        self.assertIn(f'{other} line 3: the id "a" is that of {self.folder / "a.ndjson"} line 1 already', err)
        self.leaves_nothing()

    def test_one_id_in_two_shards_is_two_documents(self):
        routings = {opensearch_routing.shard_of(f"r{i}", 3): f"r{i}" for i in range(20)}
        documents = [("a", document("a", f"{i}"), routings[i]) for i in range(2)]
        self.build_index(self.write("in.ndjson", bulk(documents)), shards=3)
        self.assertEqual(2, len(self.documents()))

    def test_create_of_what_is_there_is_refused_whatever_the_policy(self):
        text = bulk([("a", document("a")), ("a", document("a", "2"), None, "create")])
        for policy in ("error", "last"):
            _, err = self.build_index("--duplicates", policy, self.write("in.ndjson", text), code=1)
            self.assertIn('line 3: the id "a" is that of', err)
        self.build_index("--duplicates", "last", self.write("in.ndjson", bulk([("a", document("a"), None, "create"), ("a", document("a", "2"))])))
        self.assertEqual({(0, "a"): "2"}, self.documents())

    def test_positions_decide_whatever_threads_do(self):
        chance = random.Random(11)
        documents = [(f"id-{chance.randrange(400)}", None) for _ in range(9000)]
        documents = [(id, document(id, str(i), title="padding " * 40)) for i, (id, _) in enumerate(documents)]
        data = self.write("in.ndjson", bulk(documents))
        self.assertGreater(data.stat().st_size, 3 << 20)  # several pieces
        last, first = {}, {}
        for id, source in documents:
            last[opensearch_routing.shard_of(id, 2), id] = source["v"]
            first.setdefault((opensearch_routing.shard_of(id, 2), id), source["v"])
        for policy, survivors, key in (("last", last, "replaced"), ("error", first, "refused")):
            repository = self.folder / policy
            report, _ = self.report("--duplicates", policy, "--on-error", "skip", "--threads", 4, "--ram-mb", 2, data, shards=2, repository=repository)
            self.assertEqual(survivors, self.documents(repository))
            self.assertEqual((len(survivors), 9000 - len(survivors)), (report["documents"], report[key]))

    def test_nested_documents_are_replaced_whole(self):
        mappings = self.write("nested.json", json.dumps({"properties": {**MAPPINGS["properties"], "c": {"type": "nested", "properties": {"k": {"type": "keyword"}}}}}))
        text = bulk([("a", document("a", c=[{"k": "old"}, {"k": "old"}])), ("a", document("a", "2", c=[{"k": "new"}]))])
        self.build_index("--duplicates", "last", self.write("in.ndjson", text), mappings=mappings)
        self.assertEqual({(0, "a"): "2"}, self.documents())
        folder = Repository(self.repo).extract(0, self.folder / "x")
        for term, count in (("old", 0), ("new", 1)):
            out, _ = self.run_command("lookup", "--index", folder, "--field", "c.k", "--json", term)
            self.assertEqual(count, json.loads(out)["documents"] if "documents" in json.loads(out) else 0)


class Threads(OpenSearchTest):
    def test_the_mapping_does_not_depend_on_them(self):
        # Fields appear all over the input, now as numbers, now as text: which type is theirs, and what is refused, is for the first to say.
        chance = random.Random(3)
        documents = []
        for i in range(6000):
            source = document(f"id-{i}", title="padding " * 60)
            if chance.random() < .03:
                source[f"f{chance.randrange(120)}"] = chance.choice([i, f"text {i}", {"x": i}])
            documents.append((f"id-{i}", source))
        data = self.write("in.ndjson", bulk(documents))
        self.assertGreater(data.stat().st_size, 3 << 20)
        results = []
        for threads in (1, 4, 4):
            repository = self.folder / f"threads{len(results)}"
            report, err = self.report("--threads", threads, "--on-error", "skip", data, shards=2, repository=repository)
            results.append((Repository(repository).mappings, sorted(err.splitlines()), self.documents(repository)))
            self.assertGreater(report["refused"], 10)
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])


class Assemble(OpenSearchTest):
    def build_shard(self, shard, *inputs, shards=3, code=0, repository=None, **options):
        out, err = self.build_index("--shard", shard, *inputs, shards=shards, code=code, repository=repository, **options)
        return pathlib.Path(out.splitlines()[-1]) if code == 0 else err

    def assemble(self, *manifests, **options):
        return self.opensearch("assemble", "--repository", self.repo, *manifests, **options)

    def test_shards_built_apart_are_the_index_built_at_once(self):
        documents = many(300)
        everything = self.write("in.ndjson", bulk(documents))
        manifests = [self.build_shard(shard, everything) for shard in (2, 0, 1)]
        self.assertFalse((self.repo / "index.latest").exists())
        out, _ = self.assemble(*manifests)
        self.assertEqual(expected(documents, 3), self.documents())
        self.assertEqual(2, out.count("curl "))
        self.assertFalse((self.repo / "shards").exists())
        self.assertIn("already holds a snapshot repository", self.assemble(*manifests, code=1)[1])

    def test_each_from_its_share_somewhere_else(self):
        documents = many(300)
        shares = [[], [], []]
        for d in documents:
            shares[opensearch_routing.shard_of(d[2] or d[0], 3)].append(d)
        manifests = [self.build_shard(i, self.write(f"in{i}.ndjson", bulk(share)), repository=self.folder / f"worker{i}") for i, share in enumerate(shares)]
        moved = self.folder / "moved"
        shutil.move(manifests[1].parent, moved)  # as from another machine
        self.assemble(manifests[0], moved / "manifest.json", manifests[2])
        self.assertEqual(expected(documents, 3), self.documents())

    def test_a_shard_is_built_again(self):
        data = self.write("in.ndjson", bulk(many(30)))
        first = self.build_shard(1, data)
        (first.parent / "leftover").write_text("of a build that was killed")
        self.assertEqual(first, self.build_shard(1, data))
        self.assemble(first, self.build_shard(0, data), self.build_shard(2, data))
        self.assertEqual(expected(many(30), 3), self.documents())

    def test_fields_of_all_shards_are_in_the_mapping(self):
        documents = [(f"id-{i}", document(f"id-{i}", **{f"f{i % 4}": i})) for i in range(40)]
        data = self.write("in.ndjson", bulk(documents))
        self.assemble(*[self.build_shard(shard, data) for shard in range(3)])
        self.assertEqual({"f0", "f1", "f2", "f3"}, {name for name in Repository(self.repo).mappings["properties"] if name[0] == "f"})

    def test_what_does_not_fit_is_refused_and_nothing_moved(self):
        data = self.write("in.ndjson", bulk(many(30)))
        a, b = self.build_shard(0, data, shards=2), self.build_shard(1, data, shards=2)
        other = self.build_shard(1, self.write("less.ndjson", bulk(many(29))), shards=2, repository=self.folder / "less")
        by_shard = {}
        for i in range(100):
            by_shard.setdefault(opensearch_routing.shard_of(f"x{i}", 2), f"x{i}")
        text = bulk([(by_shard[0], document("x", new=1)), (by_shard[1], document("y", new="text"))])
        conflict = [self.build_shard(i, self.write("conflict.ndjson", text), shards=2, repository=self.folder / "conflict") for i in range(2)]
        for manifests, message in [([a], "are missing: 1"), ([a, b, b], "are both shard 1"), ([a, other], "documents would be missing"),
                                   (conflict, 'field "new": "type" is "long" in'), ([a, self.folder / "none"], "none"),
                                   ([a, self.write("bad.json", "{}")], "bad.json")]:
            _, err = self.assemble(*manifests, code=1 if "none" != message else 3)
            self.assertIn(message, err)
            self.assertFalse((self.repo / "index.latest").exists())
        next(b.parent.glob("__*")).unlink()
        self.assertIn("no file", self.assemble(a, b, code=1)[1])
        self.build_shard(1, data, shards=2)
        self.assemble(a, b)
        self.assertEqual(expected(many(30), 2), self.documents())

    def test_documents_need_ids(self):
        self.assertIn("with --shard", self.build_shard(0, self.write("in.ndjson", bulk([(None, document("a"))])), code=1))


class Routing(OpenSearchTest):
    VECTORS = json.loads((TESTS / "data" / "opensearch" / "routing.json").read_text())["vectors"]

    def test_the_shards_are_those_the_node_tells(self):
        lines = "".join(v["routing"] + "\n" for v in self.VECTORS)
        for key in self.VECTORS[0]["shards"]:
            shards, _, routing_shards = key.partition("of")
            words = ["--index-routing-shards", routing_shards] if routing_shards else []
            out, _ = self.opensearch("route", "--shards", shards, *words, "-", stdin=lines.encode())
            told = [v["shards"][key] for v in self.VECTORS]
            self.assertEqual(told, [int(n) for n in out.split()])
            self.assertEqual(told, [opensearch_routing.shard_of(v["routing"], int(shards), int(routing_shards or 0)) for v in self.VECTORS])

    def test_documents_are_routed_as_they_are_built(self):
        documents = many(40)
        told = [opensearch_routing.shard_of(d[2] or d[0], 5) for d in documents]
        out, _ = self.opensearch("route", "--shards", 5, "--input-format", "bulk", self.write("in.ndjson", bulk(documents)))
        self.assertEqual(told, [int(n) for n in out.split()])
        lines = "".join(json.dumps({"i": d[0], "r": d[2]}) + "\n" for d in documents)
        out, _ = self.opensearch("route", "--shards", 5, "--input-format", "jsonl", "--id-field", "i", "--routing-field", "r", "-", stdin=lines.encode())
        self.assertEqual(told, [int(n) for n in out.split()])

    def test_what_has_no_shard_is_refused(self):
        self.assertIn("line 1: neither an id nor a routing", self.opensearch("route", "--shards", 2, "--input-format", "jsonl", "-", stdin=b"{}\n", code=1)[1])
        self.assertIn("line 2: no id", self.opensearch("route", "--shards", 2, "-", stdin=b"a\n\nb\n", code=1)[1])


class EndsEarly(OpenSearchTest):
    def start(self, *words):
        return subprocess.Popen([command.POSTERN, "opensearch", "build", "--mappings", self.mappings, "--index", "docs", "--shards", "2", "--repository",
                                 self.repo, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_an_interrupted_run_leaves_no_repository(self):
        process = self.start("-")
        process.stdin.write(bulk(many(1000)).encode())
        process.stdin.flush()
        until = time.monotonic() + 60
        while not (self.repo / "shards" / "1").exists() and time.monotonic() < until:
            time.sleep(.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(130, process.returncode, err)
        self.assertIn(b"interrupted", err)
        self.assertIn(b"holds no repository", err)
        self.leaves_nothing()

    def test_when_only_the_repository_fails_the_shards_are_not_lost(self):
        documents = many(100)
        data = self.write("in.ndjson", bulk(documents))
        obstacle = self.write("repo/indices", "in the way")
        _, err = self.build_index(data, shards=2, code=3)
        self.assertIn("holds no repository, but its shards are built", err)
        self.assertFalse((self.repo / "index.latest").exists())
        obstacle.unlink()
        self.write("repo/pending-index-0", "of a run that was killed")
        self.opensearch("assemble", "--repository", self.repo, *self.repo.rglob("manifest.json"))
        self.assertEqual(expected(documents, 2), self.documents())

    def test_too_many_shards_for_the_systems_limits_leave_nothing(self):
        data = self.write("in.ndjson", bulk(many(1)))
        done = subprocess.run(["sh", "-c", 'ulimit -n 60; exec "$@"', "sh", command.POSTERN, "opensearch", "build", "--mappings", self.mappings, "--index", "docs",
                               "--shards", "100", "--repository", self.repo, data], stderr=subprocess.PIPE, text=True)
        self.assertEqual(3, done.returncode)
        self.assertIn("ulimit -n", done.stderr)
        self.leaves_nothing()

    def test_kill_at_any_moment_leaves_a_whole_repository_or_none(self):
        documents = many(3000)
        data = self.write("in.ndjson", bulk(documents))
        chance = random.Random()
        start = time.monotonic()
        self.build_index("--ram-mb", 1, data, shards=2)
        whole = time.monotonic() - start
        for i in range(12):
            shutil.rmtree(self.repo, ignore_errors=True)
            process = self.start("--ram-mb", "1", data)
            if i % 3 == 0:  # while the repository's own files are written
                while not (self.repo / "indices").exists() and process.poll() is None:
                    pass
                time.sleep(chance.uniform(0, .02))
            else:
                time.sleep(chance.uniform(0, 1.2) * whole)
            process.kill()
            process.communicate()
            if (self.repo / "index.latest").exists():
                self.assertEqual(expected(documents, 2), self.documents())
                continue
            if list(self.repo.glob("index-*")):
                continue  # between the last two files
            self.build_index(data, shards=2)  # what was left is no obstacle
            self.assertEqual(expected(documents, 2), self.documents())


class Decoder(unittest.TestCase):
    def test_a_file_of_the_nodes_own_is_read(self):
        shard = read_dat(TESTS / "data" / "opensearch" / "node_shard.dat", "snapshot")
        self.assertEqual(["_0.cfe", "_0.si", "_0.cfs", "segments_3"], [f["physical_name"] for f in shard["files"]])
        for file in shard["files"]:
            if file["name"].startswith("v__"):
                self.assertEqual(file["length"], len(file["meta_hash"]))
                self.assertEqual(b"\x3f\xd7\x6c\x17", file["meta_hash"][:4])


if __name__ == "__main__":
    command.main()
