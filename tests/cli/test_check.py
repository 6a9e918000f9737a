#!/usr/bin/env python3
"""test_check.py BUILD_DIR: `postern check` on sound indexes, Lucene's and postern's, and on damaged ones."""
import json
import os
import pathlib
import shutil
import struct
import unittest
import zlib

import command

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
FIELDS = [{"name": "id", "type": "keyword", "store": True},
          {"name": "body", "type": "text", "index_options": "offsets", "term_vector": "with_positions_offsets", "store": True},
          {"name": "n", "type": "long", "doc_values": "numeric", "doc_values_skip_index": True},
          {"name": "tag", "type": "keyword", "doc_values": "sorted_set"}]


def documents(change=None):
    """Sixty documents; `change` = (number, field, value) makes one of them another."""
    for i in range(60):
        doc = {"id": f"d{i:03d}", "body": f"word{i % 7} fox and word{i % 11} too", "n": i * i, "tag": [f"t{i % 5}", f"t{i % 3}"]}
        if change and change[0] == i:
            doc[change[1]] = change[2]
        yield doc


def seal(path, data):
    """Writes the bytes with a right checksum in their footer."""
    path.write_bytes(data[:-8] + struct.pack(">Q", zlib.crc32(data[:-8])))


def id_of(path):
    """The segment id in a file's header."""
    data = path.read_bytes()
    start = 4 + 1 + data[4] + 4
    return data[start:start + 16]


class Check(command.CommandTest):
    def build_index(self, name, change=None, fields=FIELDS, docs=None, *options):
        source = self.write(f"{name}.jsonl", "".join(json.dumps(d) + "\n" for d in docs or documents(change)))
        self.run_command("index", "--out", self.folder / name, "--schema", self.schema(*fields), "--compound", "false", "--quiet",
                         *options, source)
        return self.folder / name

    def check(self, index, code, *options):
        out, err = self.run_command("check", "--json", *options, index, code=code)
        self.assertEqual("", err)
        report = json.loads(out)
        self.assertEqual(code == 0, report["clean"])
        self.assertEqual(code == 0, not report["problems"])
        return report

    def expect_problem(self, index, *words, code=2):
        """One of the problems has all these words."""
        problems = self.check(index, code)["problems"]
        texts = [f"{p['segment']} {p['part']} {p['message']}" for p in problems]
        self.assertTrue(any(all(w in t for w in words) for t in texts), f"{words} not in {texts}")

    def graft(self, source, target, *extensions):
        """Files of another index as if they were this one's: same segment id, right checksum."""
        old, new = id_of(next(source.glob("_0.si"))), id_of(next(target.glob("_0.si")))
        for extension in extensions:
            files = list(source.glob(f"*.{extension}"))
            self.assertTrue(files, extension)
            for file in files:
                seal(target / file.name, file.read_bytes().replace(old, new))


class SoundIndexes(Check):
    def test_lucenes_own_indexes_are_clean(self):
        seen = 0
        for index in sorted(GOLDEN.glob("*/index")):
            with self.subTest(case=index.parent.name):
                report = self.check(index, 0)
                self.assertEqual([], report["notes"])
                for count in ("knn_vectors", "graph_links"):
                    self.assertEqual(index.parent.name == "knn", sum(s[count] for s in report["segments"]) > 0)
                self.assertGreater(sum(s["documents"] for s in report["segments"]), 0)
                seen += 1
        self.assertGreaterEqual(seen, 12)

    def test_counts_are_those_of_the_input(self):
        report = self.check(self.build_index("a"), 0)
        segment, = report["segments"]
        self.assertEqual({"name": "_0", "documents": 60, "deleted": 0, "fields": 4, "stored_values": 120, "vectors": 60,
                          "columns": 2, "points": 60, "norms": 60},
                         {k: segment[k] for k in ("name", "documents", "deleted", "fields", "stored_values", "vectors", "columns",
                                                  "points", "norms")})
        tags = sum(len({i % 5, i % 3}) for i in range(60))
        self.assertEqual(60 + tags + sum(5 if i % 7 != i % 11 else 4 for i in range(60)), segment["postings"])
        self.assertEqual(60 * 5, segment["occurrences"])
        self.assertEqual(60 + tags, segment["values"])

    def test_threads_and_checksums_give_the_same_verdict(self):
        index = self.build_index("a", None, FIELDS, None, "--max-buffered-docs", "9")
        reports = [self.check(index, 0, "--threads", n) for n in (1, 2, 7)]
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0], reports[2])
        self.assertEqual(7, len(reports[0]["segments"]))
        self.check(index, 0, "--checksums")

    def test_leftovers_are_notes(self):
        index = self.build_index("a")
        (index / "_7.fdt").write_bytes(b"left over")
        (index / "readme.txt").write_bytes(b"not ours")
        self.assertEqual(["_7.fdt is needed by no commit; the next writer removes it"], self.check(index, 0)["notes"])

    def test_an_older_commit_is_kept_in_mind(self):
        index = self.build_index("a")
        shutil.copyfile(index / "segments_1", self.folder / "segments_1")
        self.run_command("index", "--append", "--out", index, "--schema", self.schema(*FIELDS), "--compound", "false", "--quiet",
                         self.write("more.jsonl", '{"id": "x"}\n'))
        shutil.copyfile(self.folder / "segments_1", index / "segments_1")
        report = self.check(index, 0)
        self.assertEqual(2, report["commit"])
        self.assertEqual(["segments_1 is an older commit; only that it can be read was checked"], report["notes"])

    def test_text_report(self):
        index = self.build_index("a")
        out, _ = self.run_command("check", index)
        self.assertIn(f"{index}: commit 1, 1 segment, 60 documents, 0 deleted\n", out)
        self.assertTrue(out.endswith("clean\n"))
        out, _ = self.run_command("check", "--quiet", index)
        self.assertEqual("", out)

    def test_no_index(self):
        _, err = self.run_command("check", self.folder / "nowhere", code=1)
        self.assertIn("there is no index", err)
        self.assertFalse((self.folder / "nowhere").exists())
        _, err = self.run_command("check", self.folder, code=1)
        self.assertIn("there is no index in", err)

    def test_an_index_of_another_codec_is_not_vouched_for(self):
        index = self.build_index("a")
        data = (index / "segments_1").read_bytes()
        self.assertIn(b"\x09Lucene104", data)
        seal(index / "segments_1", data.replace(b"\x09Lucene104", b"\x09Lucene777"))
        self.expect_problem(index, "segments_1", "Lucene777", code=1)


class Damage(Check):
    def files(self, name):
        """All files of that golden index, and those of KNN vectors from another."""
        for folder, pattern in ((GOLDEN / name / "index", "*"), (GOLDEN / "knn" / "index", "*HnswVectors*")):
            for file in sorted(folder.glob(pattern)):
                yield folder, file

    def test_any_changed_byte_is_found_and_its_file_named(self):
        for source, file in self.files("updates"):
            data = file.read_bytes()
            for place in (0, len(data) // 3, len(data) // 2, len(data) - 20, len(data) - 1):
                with self.subTest(file=file.name, place=place):
                    index = self.folder / "flipped"
                    shutil.rmtree(index, ignore_errors=True)
                    shutil.copytree(source, index)
                    changed = bytearray(data)
                    changed[place] ^= 0x10
                    (index / file.name).write_bytes(changed)
                    self.expect_problem(index, file.name)

    def test_a_shorter_file_is_found(self):
        for source, file in self.files("merged"):
            for length in (0, 1, 20, file.stat().st_size // 2, file.stat().st_size - 1):
                with self.subTest(file=file.name, length=length):
                    index = self.folder / "cut"
                    shutil.rmtree(index, ignore_errors=True)
                    shutil.copytree(source, index)
                    os.truncate(index / file.name, length)
                    self.expect_problem(index, file.name)

    def test_a_missing_file_is_found(self):
        for source, file in self.files("updates"):
            if file.name.startswith("segments"):
                continue
            with self.subTest(file=file.name):
                index = self.folder / "missing"
                shutil.rmtree(index, ignore_errors=True)
                shutil.copytree(source, index)
                (index / file.name).unlink()
                self.expect_problem(index, file.name, "No such file")

    def test_without_a_commit_that_can_be_read_files_are_checked(self):
        index = self.build_index("a")
        (index / "segments_1").write_bytes(b"x" * 40)
        data = bytearray((index / "_0.fdt").read_bytes())
        data[30] ^= 1
        (index / "_0.fdt").write_bytes(data)
        self.expect_problem(index, "segments_1")
        self.expect_problem(index, "_0.fdt", "checksum")


class Disagreement(Check):
    """Files that are sound by themselves, with right checksums, but do not belong together."""

    def test_vectors_of_another_text(self):
        index, other = self.build_index("a"), self.build_index("b", (17, "body", "word3 fog and word6 too"))
        self.graft(other, index, "tvd", "tvx", "tvm")
        self.expect_problem(index, "term vectors", "'body'", "document 17", "'fo")

    def test_vectors_of_a_deleted_document(self):
        def build(name, body):
            docs = [dict(d, body=body, tag=["z" * 32767]) if d["id"] == "d017" else d for d in documents()]
            return self.build_index(name, None, FIELDS, docs, "--on-error", "skip")
        index, other = build("a", "word3 fox and word6 too"), build("b", "word3 fog and word6 too")
        self.assertEqual(1, self.check(index, 0)["segments"][0]["deleted"])
        self.graft(other, index, "tvd", "tvx", "tvm")
        self.expect_problem(index, "term vectors", "'body'", "document 17", "'fog'")

    def test_vectors_with_another_position(self):
        index, other = self.build_index("a"), self.build_index("b", (17, "body", "word3 and fox word6 too"))
        self.graft(other, index, "tvd", "tvx", "tvm")
        self.expect_problem(index, "term vectors", "'body'", "document 17", "position")

    def test_a_norm_without_terms_and_terms_without_a_norm(self):
        index, other = self.build_index("a"), self.build_index("b", (23, "body", ""))
        self.graft(other, index, "nvd", "nvm")
        self.expect_problem(index, "norms", "'body'", "document 23", "norm 0")
        index, other = self.build_index("c"), self.build_index("d", (23, "body", None))
        self.graft(other, index, "nvd", "nvm")
        self.expect_problem(index, "norms", "'body'", "no norm")

    def test_postings_of_another_text(self):
        index, other = self.build_index("a"), self.build_index("b", (0, "body", "word0 fox fox word0 too"))
        self.graft(other, index, "doc", "pos", "psm", "pay")
        self.expect_problem(index, "postings", "'body'")

    def test_a_dictionary_of_another_text(self):
        index, other = self.build_index("a"), self.build_index("b", (12, "body", "fox"))
        self.graft(other, index, "tim", "tip", "tmd")
        self.expect_problem(index, "postings", "'body'", "term")

    def test_stored_values_of_a_field_that_is_unknown(self):
        more = FIELDS + [{"name": "extra", "type": "keyword", "index": False, "store": True}]
        index = self.build_index("a")
        other = self.build_index("b", None, more, [dict(d, extra="x") for d in documents()])
        self.graft(other, index, "fdt", "fdx", "fdm")
        self.expect_problem(index, "stored fields", "document 0", "field 4")

    def test_stored_values_of_fewer_documents(self):
        index, other = self.build_index("a"), self.build_index("b", None, FIELDS, list(documents())[:59])
        self.graft(other, index, "fdt", "fdx", "fdm")
        self.expect_problem(index, "stored fields", "59 documents", "60")

    def test_a_skip_index_of_other_values(self):
        index, other = self.build_index("a"), self.build_index("b", (59, "n", 59 * 59 + 1))
        n = next(other.glob("*.dvd")).name
        old, new = id_of(other / "_0.si"), id_of(index / "_0.si")
        data, changed = bytearray((index / n).read_bytes()), (other / n).read_bytes().replace(old, new)
        places = [i for i in range(len(data)) if data[i] != changed[i]]
        self.assertTrue(places)
        data[places[0]] = changed[places[0]]  # the interval, which comes before the value
        seal(index / n, bytes(data))
        self.expect_problem(index, "doc values", "'n'", "skip index")

    def test_field_infos_that_promise_other_files(self):
        index = self.build_index("a")
        other = self.build_index("b", None, [dict(f, term_vector="no") if f["name"] == "body" else f for f in FIELDS])
        self.graft(index, other, "fnm")
        self.expect_problem(other, "field infos", "lacks _0.tvd")

    def test_maxima_of_impacts_that_are_too_small(self):
        shutil.copytree(GOLDEN / "dense" / "index", self.index)
        psm, = self.index.glob("*.psm")
        data = bytearray(psm.read_bytes())
        start = len(data) - 16 - 8 * 3 - 16
        self.assertGreater(struct.unpack_from("<i", data, start)[0], 0)
        data[start:start + 4] = bytes(4)
        seal(psm, bytes(data))
        self.expect_problem(self.index, "postings", psm.name, "maxima")

    def test_more_deletes_than_bits(self):
        shutil.copytree(GOLDEN / "deletes" / "index", self.index)
        liv, = self.index.glob("*.liv")
        data = bytearray(liv.read_bytes())
        data[-24] ^= 1  # document 64
        seal(liv, bytes(data))
        self.expect_problem(self.index, liv.name, "the commit says 30")

    def test_the_next_segment_number_is_taken(self):
        index = self.build_index("a")
        data = (index / "segments_1").read_bytes()
        start = 4 + 1 + 8 + 4 + 16 + 2 + 3 + 1 + 8
        self.assertEqual(1, data[start])
        seal(index / "segments_1", data[:start] + b"\0" + data[start + 1:])
        self.expect_problem(index, "commit", "_0")

    def test_an_order_that_the_segment_does_not_have(self):
        shutil.copytree(GOLDEN / "merged" / "index", self.index)
        si = self.index / "_2.si"
        data = si.read_bytes()
        at = data.index(b"\x09SortField\x04kind\x06STRING") + len(b"\x09SortField\x04kind\x06STRING")
        self.assertEqual(1, data[at])  # descending
        seal(si, data[:at] + b"\0" + data[at + 1:])
        self.expect_problem(self.index, "index sort", "'kind'", "documents")

    def test_segments_that_disagree_about_a_field(self):
        fields = [{"name": "a", "type": "keyword"}, {"name": "b", "type": "keyword"}]
        index = self.build_index("a", None, fields, [{"a": "x", "b": "y"}] * 2, "--max-buffered-docs", "1")
        self.check(index, 0)
        fnm = index / "_1.fnm"
        data = fnm.read_bytes()
        # Name, number, bits (norms omitted), options: DOCS becomes DOCS_AND_FREQS in one segment.
        at = data.index(b"\x01a\x00\x02\x01")
        seal(fnm, data[:at] + b"\x01a\x00\x02\x02" + data[at + 5:])
        self.expect_problem(index, "field infos", "_0 and _1", "'a'")


class KnnVectors(Check):
    """Files of KNN vectors and graphs with right checksums that do not hold what they must."""
    DIMENSION = 3

    def build_vectors(self, name, without=(), dimension=DIMENSION, element="float32"):
        """800 documents (enough for a graph); those in `without` have no vector."""
        field = {"name": "v", "type": "knn_vector", "dimension": dimension, "element_type": element, "similarity": "l2"}
        docs = [{"id": str(i)} | ({} if i in without else {"v": [(i * (j + 7)) % 101 for j in range(dimension)]}) for i in range(800)]
        index = self.build_index(name, None, [FIELDS[0], field], docs)
        report = self.check(index, 0)
        self.assertEqual(800 - len(without), report["segments"][0]["knn_vectors"])
        self.assertGreater(report["segments"][0]["graph_links"], 800)
        return index

    def change(self, index, extension, change):
        """Changes the bytes of a file; `change` gets them and where the header ends."""
        file, = index.glob(f"*.{extension}")
        data = bytearray(file.read_bytes())
        start = 4 + 1 + data[4] + 4 + 16
        change(data, start + 1 + data[start])
        seal(file, bytes(data))

    def test_fewer_vectors_than_nodes_of_the_graph(self):
        index, other = self.build_vectors("a"), self.build_vectors("b", without={17})
        self.graft(other, index, "vec", "vemf")
        self.expect_problem(index, "KNN vectors", "'v'", ".vem", "graph of 800 nodes and 799 vectors")

    def test_vectors_of_another_dimension(self):
        index, other = self.build_vectors("a"), self.build_vectors("b", dimension=4)
        self.graft(other, index, "vec", "vemf", "vex", "vem")
        self.expect_problem(index, "KNN vectors", ".vemf", "dimension", "contradict the field infos")

    def test_documents_of_vectors_told_in_two_ways(self):
        index = self.build_vectors("a", without={1, 5, 6, 20, 333})

        def change(data, header):
            data[-17 - 7] ^= 0x55  # the documents of the last ordinals, padded by up to seven bytes
            data[-17 - 8] ^= 0x55
        self.change(index, "vec", change)
        self.expect_problem(index, "KNN vectors", "'v'", ".vec", "told in two ways")

    def test_a_list_of_neighbours_that_is_too_long(self):
        index = self.build_vectors("a")

        def change(data, header):
            data[header] = 33  # M is 16
        self.change(index, "vex", change)
        self.expect_problem(index, "KNN vectors", "'v'", ".vex", "33 neighbours", "at most 32")

    def test_lists_of_neighbours_that_overlap(self):
        index = self.build_vectors("a")

        def change(data, header):
            data[header] += 4  # a whole group more, of the bytes of the next list
        self.change(index, "vex", change)
        problems = self.check(index, 2)["problems"]
        self.assertEqual([("_0", "KNN vectors")], [(p["segment"], p["part"]) for p in problems])
        self.assertIn(".vex", problems[0]["message"])

    def test_a_graph_in_bytes_that_are_not_there(self):
        index = self.build_vectors("a")

        def change(data, header):
            at = header + 12  # behind field, encoding, similarity: the offset, then the length
            while data[at] >= 0x80:
                at += 1
            data[at + 1] ^= 0x7f
        self.change(index, "vem", change)
        self.expect_problem(index, "KNN vectors", ".ve")

    def test_an_infinite_component_is_a_note(self):
        index = self.build_vectors("a")

        def change(data, header):
            start = -(-header // 64) * 64
            struct.pack_into("<f", data, start + 4 * (5 * self.DIMENSION + 1), float("inf"))
        self.change(index, "vec", change)
        self.assertEqual(["_0: the vector of field 'v' in document 5 has a component that is not finite"], self.check(index, 0)["notes"])

    def test_another_format_of_vectors_is_not_vouched_for(self):
        index = self.build_vectors("a")
        file, = index.glob("*.fnm")
        seal(file, file.read_bytes().replace(b"\x19Lucene99Hnsw", b"\x19Lucene77Hnsw"))
        self.expect_problem(index, "KNN vectors", "Lucene77HnswVectorsFormat", code=1)


if __name__ == "__main__":
    command.main()
