#!/usr/bin/env python3
"""A real OpenSearch node restores what `postern opensearch build` made and serves it like an index that it filled itself.

test_serve.py BUILD_FOLDER [--postern PATH] [--self] [--keep DIR] [--seed N] [--count N]

The same documents go through the command and through _bulk. Compared are mappings, every document by its id, searches with scores and
aggregations (queries.py); then after changes (changes.py), after a force merge, and after a restart. One altered word must be seen.

--self lets the node build the snapshots, which tests this program. Exit codes: 0 equal, 1 not, 77 no Java here (an error if
POSTERN_REQUIRE_TWIN is set).
"""
import argparse
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import builders  # noqa: E402
import changes  # noqa: E402
import compare  # noqa: E402
import documents  # noqa: E402
import queries  # noqa: E402
from node import ApiError, Node, why_not  # noqa: E402


class Tally:
    def __init__(self):
        self.passed = 0
        self.failed = []

    def none(self, what, differences):
        """Passes if there are no differences."""
        if not differences:
            self.passed += 1
            return True
        self.failed.append(what)
        print(f"FAILED {what}: {len(differences)}", flush=True)
        for line in differences[:12]:
            print(f"    {line[:900]}", flush=True)
        return False

    def check(self, what, good, detail=""):
        return self.none(what, [] if good else [str(detail)])


class Pair:
    """An index that we build, and the same documents through _bulk."""

    def __init__(self, name, shards, rows, extra=(), mappings=documents.MAPPINGS):
        self.name = name
        self.native = f"native_{name}"
        self.shards = shards
        self.rows = rows
        self.queries = queries.ALL + list(extra)
        self.mappings = mappings


class Check:
    def __init__(self, node, builder, work, seed, tally):
        self.node, self.builder, self.work, self.seed, self.tally = node, builder, work, seed, tally

    def restore(self, index, mappings, inputs, shards, *options, assemble=False):
        """Builds and restores `index`; whether it is served."""
        folder = self.node.repo / index
        build = self.builder.assemble if assemble else self.builder.build
        try:
            calls = build(self.node, index, mappings, inputs, shards, folder, *options)
            answer = builders.make_calls(self.node, calls, index)
        except (builders.BuildFailed, ApiError) as error:
            return self.tally.check(f"{index}: build and restore", False, f"{error}\n{self.node.what_it_said(5)}")
        told = answer.get("snapshot", {}).get("shards")
        return self.tally.check(f"{index}: build and restore", told == {"total": shards, "failed": 0, "successful": shards}, answer)

    def fill(self, pair):
        """The native side: several segments, too, when there are many documents."""
        self.node.create(pair.native, pair.mappings, pair.shards)
        part = max(1, (len(pair.rows) + 2) // 3)
        for i in range(0, len(pair.rows), part):
            items = self.node.bulk(documents.bulk(pair.rows[i:i + part]), pair.native)
            self.tally.none(f"{pair.native}: the node takes the documents",
                            [json.dumps(item) for item in items if [*item.values()][0]["status"] != 201])
            self.node.refresh(pair.native)
        self.node.flush(pair.native)

    def equal(self, pair, when):
        """The documents as they went in."""
        node, say = self.node, lambda what: f"{pair.name} {when}: {what}"
        self.tally.none(say("mappings"), compare.mappings(node, pair.name, pair.native))
        self.tally.none(say("every document by its id"), compare.sources(node, pair.name, pair.rows))
        self.tally.none(say("every document by its id, natively"), compare.sources(node, pair.native, pair.rows))
        a, b = compare.sequence_numbers(node, pair.name), compare.sequence_numbers(node, pair.native)
        self.tally.check(say("sequence numbers"), a == b, f"{a} and {b}")
        self.same_searches(pair, when, scores=True)

    def same_searches(self, pair, when, scores):
        found = compare.searches(self.node, pair.name, pair.native, pair.queries, scores)
        wrong = {line.split(":")[0] for line in found}
        self.tally.passed += len(pair.queries) - len(wrong)
        if found:
            self.tally.none(f"{pair.name} {when}: searches", found)

    def after_changes(self, pair, when):
        rows = pair.rows + changes.new_rows(self.seed)
        self.tally.none(f"{pair.name} {when}: mappings", compare.mappings(self.node, pair.name, pair.native))
        self.tally.none(f"{pair.name} {when}: every document by its id", compare.documents(self.node, pair.name, pair.native, rows))
        self.same_searches(pair, when, scores=False)

    def change(self, pair):
        answers = []
        for index in (pair.name, pair.native):
            items, wrong = changes.apply(self.node, index, pair.rows, self.seed)
            self.tally.none(f"{index}: changes are answered as they must be", wrong)
            answers.append(items)
        self.tally.none(f"{pair.name}: changes are answered as natively", compare.items(*answers))


def write(path, data):
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def altered(check, pair):
    """One word of one document is another one: searches and documents must tell."""
    row = next(row for row in pair.rows if '"body": "The ' in row.source and " gate" in row.source)
    old = row.source
    row.source = old.replace(" gate", " gaze", 1)
    data = documents.bulk(pair.rows)
    row.source = old
    if check.restore("altered", pair.mappings, [write(check.work / "altered.ndjson", data)], pair.shards):
        seen = compare.searches(check.node, "altered", pair.native, pair.queries)
        check.tally.check("an altered word is seen by searches", len(seen) > 0)
        seen = compare.sources(check.node, "altered", pair.rows)
        check.tally.check("an altered word is seen in its document alone", len(seen) == 1, seen)
        print(f"altered word: {len(compare.searches(check.node, 'altered', pair.native, pair.queries))} searches differ")
    check.node.delete("altered")


def damaged(check, pair):
    """A byte of a file in the repository is another one: the restore must fail."""
    node = check.node
    shutil.copytree(node.repo / pair.name, node.repo / "damaged", dirs_exist_ok=True)
    blob = max((node.repo / "damaged").rglob("__*"), key=lambda path: path.stat().st_size)
    data = bytearray(blob.read_bytes())
    data[len(data) // 2] ^= 1
    blob.unlink()
    blob.write_bytes(data)
    status, answer = node.restore("damaged", pair.name, "damaged", rename_pattern=".+", rename_replacement="damaged")
    failed = isinstance(answer, dict) and answer.get("snapshot", {}).get("shards", {}).get("failed")
    check.tally.check("a damaged file makes its shard fail", failed == 1, f"{status} {answer}")
    node.delete("damaged")


def small_indexes(check):
    """Empty shards and no documents at all: served, and written to afterwards."""
    rows = documents.rows(3, f"{check.seed}/few", routing=False)
    few = Pair("few", 5, rows)
    check.fill(few)
    if check.restore("few", few.mappings, [write(check.work / "few.ndjson", documents.bulk(rows))], 5, assemble=True):
        check.tally.none("few: every document by its id", compare.sources(check.node, "few", rows))
        a, b = compare.sequence_numbers(check.node, "few"), compare.sequence_numbers(check.node, few.native)
        check.tally.check("few: sequence numbers", a == b and min(a.values())[0] == -1, f"{a} and {b}")
        check.change(few)
        check.tally.none("few: every document after changes",
                         compare.documents(check.node, "few", few.native, rows + changes.new_rows(check.seed)))
    if check.restore("nothing", {"properties": {"title": {"type": "text"}}}, [write(check.work / "nothing.ndjson", b"")], 1):
        status, _ = check.node.request("PUT", "nothing/_doc/1?refresh=true", {"title": "the first"})
        total = check.node.search("nothing", {"query": {"match": {"title": "first"}}})["hits"]["total"]["value"]
        check.tally.check("nothing: takes a first document", (status, total) == (201, 1), f"{status} {total}")


def documented(check, postern):
    """The worked example of docs/opensearch.md: its commands answer as the page says. Where it shows a file, that is the file."""
    page = (HERE.parent.parent / "docs" / "opensearch.md").read_text()
    block = page.split("## A worked example", 1)[1].split("```")[1]
    environment = {**os.environ, "PATH": f"{postern.resolve().parent}:{os.environ['PATH']}"}
    for part in block.strip().split("\n$ "):
        command, _, told = part.removeprefix("$ ").partition("\n")
        if command.startswith("cat "):
            (check.work / command.split()[1]).write_text(told + "\n")
            continue
        done = subprocess.run(command.replace("localhost:9200", f"127.0.0.1:{check.node.port}"), shell=True, cwd=check.work, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        same = done.returncode == 0 and (command.startswith("postern ") or done.stdout.strip() == told.strip())
        check.tally.check(f"docs/opensearch.md: {command}", same, done.stdout)


def run(check, count, self_test):
    node, tally, work = check.node, check.tally, check.work
    routed, simple = documents.rows(count, check.seed), documents.rows(count // 2, check.seed + 1, routing=False)
    ones = Pair("one", 1, routed, queries.ROUTING)
    threes = Pair("three", 3, routed, queries.ROUTING)
    fives = Pair("five", 5, simple)
    started = time.monotonic()

    def lap(what):
        print(f"{time.monotonic() - started:6.1f} s  {what}", flush=True)

    few_ram = () if self_test else ("--ram-mb", "1")
    for pair, name, options in ((ones, "one.ndjson", few_ram), (threes, "three.ndjson.gz", ()), (fives, "five.jsonl", ("--id-field", "key"))):
        if pair is fives:
            for row in pair.rows:
                row.id = json.loads(row.source)["key"]
        data = documents.lines(pair.rows) if pair is fives else documents.bulk(pair.rows)
        check.fill(pair)
        if not check.restore(pair.name, pair.mappings, [write(work / name, data)], pair.shards, *options):
            return
        if few_ram and pair is ones:  # the node may merge them as soon as it has them
            tally.check("one: several segments", re.search(r" in ([2-9]|\d\d+) segments", check.builder.printed), check.builder.printed)
        lap(f"{pair.name}: built, restored, {len(pair.rows)} documents in {pair.shards} shards")
        check.equal(pair, "restored")
        lap(f"{pair.name}: compared by {len(pair.queries)} searches")
    altered(check, ones)
    damaged(check, threes)
    small_indexes(check)
    if not self_test:
        documented(check, check.builder.path)
    lap("altered, damaged, empty")
    for pair in (ones, threes, fives):
        check.change(pair)
        check.after_changes(pair, "changed")
    lap("changed")
    for pair in (ones, threes, fives):
        node.force_merge(pair.name)
        node.force_merge(pair.native)
        check.after_changes(pair, "merged")
    lap("merged")
    node.restart()
    for pair in (ones, threes, fives):
        node.wait(pair.name)
        node.wait(pair.native)
        check.after_changes(pair, "restarted")
    lap("restarted")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path, nargs="?", default=HERE.parent.parent / "build")
    parser.add_argument("--postern", type=pathlib.Path, help="this command instead of the build folder's")
    parser.add_argument("--self", action="store_true", dest="self_test")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--count", type=int, default=600)
    arguments = parser.parse_args()
    reason = why_not()
    if reason is not None:
        print(f"serve: SKIPPED, nothing was served by OpenSearch: {reason}")
        print("serve: it needs Java 21 or newer (JAVA_HOME or /usr/lib/jvm) and Maven")
        return 1 if os.environ.get("POSTERN_REQUIRE_TWIN") == "1" else 77
    work = (arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="postern-serve-"))).resolve()
    work.mkdir(parents=True, exist_ok=True)
    tally = Tally()
    builder = builders.Native() if arguments.self_test else builders.Postern(arguments.postern or arguments.build.resolve() / "postern")
    try:
        with Node(work / "node", work / "repositories") as node:
            print(f"serve: OpenSearch {node.version}, seed {arguments.seed}", flush=True)
            run(Check(node, builder, work, arguments.seed, tally), arguments.count, arguments.self_test)
    finally:
        if arguments.keep is None:
            shutil.rmtree(work, ignore_errors=True)
    print(f"serve: {tally.passed} passed, {len(tally.failed)} failed")
    return 1 if tally.failed or tally.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
