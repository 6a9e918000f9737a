#!/usr/bin/env python3
"""test_lookup.py BUILD_DIR: `postern lookup` on Lucene's own indexes and on postern's."""
import json
import pathlib

import command

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"


class Lookup(command.CommandTest):
    def build_three(self, *words):
        schema = self.schema({"name": "id", "type": "keyword", "store": True}, {"name": "t", "type": "text"},
                             {"name": "n", "type": "long", "index": False, "store": True})
        source = self.write("d.jsonl", '{"id": "a", "t": "x y x", "n": 7}\n{"id": "b", "t": "y"}\n{"id": "c", "t": "x"}\n')
        self.build("--create", "--schema", schema, *words, source)

    def test_counts_first_documents_and_stored_values(self):
        for words in ([], ["--max-buffered-docs", "1"], ["--max-buffered-docs", "1", "--compound", "false"]):
            with self.subTest(words=words):
                self.build_three(*words)
                x, y, none = self.look_up("t", "x", "y", "nothing")
                self.assertEqual((2, 3, [0, 2]), (x["documents"], x["occurrences"], [d["doc"] for d in x["first"]]))
                self.assertEqual((2, 2, [0, 1]), (y["documents"], y["occurrences"], [d["doc"] for d in y["first"]]))
                self.assertEqual((0, 0, []), (none["documents"], none["occurrences"], none["first"]))
                self.assertEqual([["id", "a"], ["n", "7"]], x["first"][0]["stored"])

    def test_text_output(self):
        self.build_three()
        out, _ = self.run_command("lookup", "--index", self.index, "--field", "t", "--first", 1, "x", "nothing")
        self.assertEqual('"x": 2 documents, 3 occurrences\n  document 0 (2x)  id="a"  n="7"\n"nothing": 0 documents, 0 occurrences\n',
                         out)

    def test_deleted_documents_are_not_counted(self):
        schema = self.schema({"name": "id", "type": "keyword"}, {"name": "t", "type": "text"})
        long_term = "z" * 32767
        source = self.write("d.jsonl", "".join(json.dumps(d) + "\n" for d in (
            {"t": "x", "id": "1"}, {"t": "x", "id": long_term}, {"t": "x", "id": "3"})))
        report, _ = self.build("--schema", schema, "--on-error", "skip", source)
        self.assertEqual(1, report["index_deleted"])
        found = self.look_up("t", "x")[0]
        self.assertEqual((2, [0, 2]), (found["documents"], [d["doc"] for d in found["first"]]))

    def test_segments_without_terms(self):
        schema = self.schema({"name": "id", "type": "keyword", "store": True}, {"name": "t", "type": "text"})
        source = self.write("d.jsonl", '{"t": "..."}\n{"op": "flush"}\n{"id": "a", "t": "x"}\n{"op": "flush"}\n{}\n')
        self.build("--create", "--schema", schema, source)
        found = self.look_up("t", "x")[0]
        self.assertEqual((1, [1]), (found["documents"], [d["doc"] for d in found["first"]]))

    def test_mistakes(self):
        self.build_three()
        _, err = self.run_command("lookup", "--index", self.index, "--field", "none", "x", code=1)
        self.assertIn('has no field "none"', err)
        _, err = self.run_command("lookup", "--index", self.folder / "nowhere", "--field", "t", "x", code=1)
        self.assertIn("there is no index", err)
        self.assertFalse((self.folder / "nowhere").exists())
        _, err = self.run_command("lookup", "--index", self.folder, "--field", "t", "x", code=1)
        self.assertIn("there is no index", err)
        self.run_command("lookup", "--index", self.index, "x", code=1)


if __name__ == "__main__":
    command.main()
