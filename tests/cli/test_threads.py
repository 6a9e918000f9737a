#!/usr/bin/env python3
"""test_threads.py BUILD_DIR: `postern index --threads N`: every document once, operations in their place, what an error costs."""
import json

import command

SCHEMA = [{"name": "id", "type": "keyword", "store": True}, {"name": "body", "type": "text"}]
FILLER = " ".join(f"word{i}" for i in range(120))


def documents(first, last):
    """About 1 KB each: a few thousand make several pieces of input."""
    return "".join(json.dumps({"id": f"d{i}", "body": f"all every{i % 10} {FILLER}"}) + "\n" for i in range(first, last))


class Threads(command.CommandTest):
    def ids(self, term="all"):
        found, = self.look_up("body", term, first=100000)
        return [dict(d["stored"])["id"] for d in found["first"]]

    def test_every_document_is_there_once(self):
        source = self.write("d.jsonl", documents(0, 6000))
        for threads, more in ((1, ()), (2, ()), (4, ("--ram-mb", "1")), (7, ("--max-buffered-docs", "100"))):
            with self.subTest(threads=threads):
                report, err = self.build("--create", "--schema", self.schema(*SCHEMA), "--threads", threads, *more, source)
                self.assertEqual((6000, 0, 6000), (report["documents"], report["refused"], report["index_documents"]))
                self.assertEqual(source.stat().st_size, report["text_bytes"])
                self.assertEqual(source.stat().st_size, report["input_bytes"])
                found = self.ids()
                self.assertEqual({f"d{i}" for i in range(6000)}, set(found))
                self.assertEqual(6000, len(found))
                self.assertEqual(600, self.count("body", "every3"))
                if threads == 1:
                    self.assertEqual([f"d{i}" for i in range(6000)], found)
                self.run_command("check", self.index)

    def test_a_folder(self):
        for i in range(3000):
            self.write(f"texts/{i % 10}/{i}.txt", f"all text {FILLER}")
        report, _ = self.build("--threads", 3, self.folder / "texts")
        self.assertEqual((3000, 3000), (report["documents"], self.count("body", "all")))
        self.assertEqual(sum(f.stat().st_size for f in (self.folder / "texts").rglob("*.txt")), report["input_bytes"])

    def test_operations_stand_between_what_is_before_and_behind_them(self):
        text = documents(0, 3000) + '{"op": "flush"}\n' + documents(3000, 6000) + '{"op": "commit", "user_data": {"at": "6000"}}\n' \
            + documents(6000, 6500)
        report, _ = self.build("--schema", self.schema(*SCHEMA), "--threads", 4, self.write("d.jsonl", text))
        self.assertEqual(6500, report["documents"])
        found = self.ids()
        for first, last in ((0, 3000), (3000, 6000), (6000, 6500)):
            self.assertEqual({f"d{i}" for i in range(first, last)}, set(found[first:last]))

    def test_a_refused_document_ends_the_run_with_all_before_it_committed(self):
        text = documents(0, 2500) + '{"id": 5, "unknown": 1}\n' + documents(2500, 9000) + "nonsense\n"
        report, err = self.build("--schema", self.schema(*SCHEMA), "--threads", 3, self.write("d.jsonl", text), code=1)
        self.assertIn("d.jsonl line 2501", report["error"])
        self.assertEqual(1, report["refused"])
        self.assertIn("all before the refused one are", report["outcome"])
        found = set(self.ids())
        self.assertLessEqual({f"d{i}" for i in range(2500)}, found)
        self.assertEqual(report["documents"], len(found))
        self.assertLess(len(found), 9000)

    def test_refused_documents_are_told_with_their_lines(self):
        text = "".join(documents(i, i + 1) if i % 500 else f'{{"id": "d{i}", "nothing": 1}}\n' for i in range(5000))
        report, err = self.build("--schema", self.schema(*SCHEMA), "--threads", 4, "--on-error", "skip", self.write("d.jsonl", text))
        self.assertEqual((4990, 10), (report["documents"], report["refused"]))
        for i in range(0, 5000, 500):
            self.assertIn(f"d.jsonl line {i + 1}, field \"nothing\"", err)

    def test_line_documents_know_their_number(self):
        schema = self.schema({"name": "id", "type": "keyword", "source": "_line", "store": True}, {"name": "body", "type": "text"})
        a = self.write("a.txt", "FIELDS_HEADER_INDICATOR###\ttitle\tbody\n" + "".join(f"t{i}\tall n{i} {FILLER}\n\n" for i in range(4000)))
        b = self.write("b.txt", "".join(f"t\td\tall m{i} {FILLER}\n" for i in range(3000)))
        self.build("--schema", schema, "--threads", 4, a, b)
        self.assertEqual({str(i) for i in range(7000)}, set(self.ids()))
        for word, number in (("n0", 0), ("n1234", 1234), ("n3999", 3999), ("m0", 4000), ("m2999", 6999)):
            self.assertEqual([str(number)], self.ids(word))


if __name__ == "__main__":
    command.main()
