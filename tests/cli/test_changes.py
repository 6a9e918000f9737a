#!/usr/bin/env python3
"""test_changes.py BUILD_DIR: deletes and updates through `postern index`."""
import json

import command

ID = {"name": "id", "type": "keyword", "store": True}
BODY = {"name": "body", "type": "text", "store": True}
N = {"name": "n", "type": "long", "index": False, "doc_values": "numeric"}
BLOB = {"name": "blob", "type": "binary", "doc_values": "binary"}
POINT = {"name": "point", "type": "long", "doc_values": "numeric"}


def delete(*ids):
    return {"op": "delete", "terms": [["id", i] for i in ids]}


class Changes(command.CommandTest):
    def index_lines(self, *lines, code=0, words=()):
        schema = self.schema(ID, BODY, N, BLOB, POINT)
        source = self.write("d.jsonl", "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
        return self.build("--schema", schema, *words, source, code=code)

    def ids(self, word):
        """The stored ids of the documents with a word."""
        return [dict(d["stored"])["id"] for d in self.look_up("body", word)[0]["first"]]

    def check_clean(self):
        self.run_command("check", "--quiet", self.index)

    def test_deletes_and_updates_are_counted_and_done(self):
        for threads in ("1", "3"):
            with self.subTest(threads=threads):
                report, _ = self.index_lines(
                    *({"id": str(i), "body": "x"} for i in range(10)), delete("3", "4"), {"op": "commit"},
                    {"op": "update", "term": ["id", "5"], "doc": {"id": "5", "body": "x again"}},
                    {"op": "update", "term": ["id", "6"], "docs": [{"id": "6", "body": "x"}, {"id": "6", "body": "x"}]},
                    {"op": "update_doc_values", "term": ["body", "x"], "field": "n", "value": 7}, delete("0"), delete("nobody"),
                    words=("--create", "--threads", threads))
                self.assertEqual([13, 2, 3, 1, 0], [report[k] for k in ("documents", "updates", "deletes", "doc_values_updates", "refused")])
                self.assertEqual(["1", "2", "5", "6", "6", "7", "8", "9"], sorted(self.ids("x")))
                self.assertEqual(["5"], self.ids("again"))
                self.check_clean()

    def test_a_delete_concerns_what_stands_before_it(self):
        self.index_lines({"id": "1", "body": "before"}, delete("1"), {"id": "1", "body": "after"})
        self.assertEqual([0, 1], [self.count("body", "before"), self.count("body", "after")])

    def test_append_with_deletes_of_what_is_committed(self):
        self.index_lines(*({"id": str(i), "body": "x"} for i in range(5)))
        for i in (1, 3):
            report, _ = self.index_lines(delete(str(i)), {"id": f"new{i}", "body": "x"}, words=("--append",))
            self.assertEqual(1, report["deletes"])
        self.assertEqual(["0", "2", "4", "new1", "new3"], self.ids("x"))
        report, _ = self.index_lines(delete("0", "2", "4"), words=("--append",))
        self.assertEqual((0, 2), (report["documents"], report["segments"]))
        self.assertEqual(["new1", "new3"], self.ids("x"))
        self.check_clean()

    def test_delete_all_and_fields_anew(self):
        self.index_lines({"id": "1", "body": "x", "n": 1}, {"op": "commit"})
        for everything in ({"op": "delete_all"}, {"op": "delete", "query": "*:*"}):
            schema = self.schema({**ID, "index_options": "freqs"}, {"name": "body", "type": "keyword", "store": True})
            source = self.write("e.jsonl", json.dumps(everything) + '\n{"id": "2", "body": "y"}\n')
            report, _ = self.build("--schema", schema, "--append", source)
            self.assertEqual((1, 1, 1), (report["deletes"], report["index_documents"], report["segments"]))
            self.assertEqual(["2"], self.ids("y"))

    def test_what_cannot_be_done_is_refused_with_its_place(self):
        _, err = self.index_lines(
            {"id": "1", "body": "x", "n": 1, "point": 1}, {"op": "delete", "term": ["nope", "1"]},
            {"op": "update_doc_values", "term": ["id", "1"], "field": "point", "value": 2},
            {"op": "update_doc_values", "term": ["id", "1"], "field": "n", "value": "much"},
            {"op": "update_doc_values", "term": ["id", "1"], "fields": {"n": 5, "point": 2}},
            {"op": "update", "term": ["id", "1"], "doc": {"id": "x" * 40000}}, delete("x" * 40000),
            {"op": "force_merge", "segments": 1}, words=("--on-error", "skip"))
        refused = [line for line in err.splitlines() if line.startswith("refused: ")]
        for number, line, parts in zip(range(2, 9), refused, (['"nope"', "not in the schema"], ["point"], ['"n"', '"much"'], ["point"],
                                                               ["id", "32766"], ["id", "32766"], ["force_merge"]), strict=True):
            self.assertIn(f"d.jsonl line {number}", line)
            for part in parts:
                self.assertIn(part, line)
        self.assertEqual(["1"], self.ids("x"))
        self.check_clean()

    def test_a_refused_operation_ends_the_run_and_what_came_before_is_committed(self):
        self.index_lines({"id": "1", "body": "x"}, {"id": "2", "body": "x"})
        report, err = self.index_lines(delete("1"), delete("nobody"), {"op": "delete", "term": ["id"]}, delete("2"), code=1, words=("--append",))
        self.assertEqual(2, report["deletes"])
        self.assertIn("line 3", report["error"])
        self.assertIn("0 documents, 2 deletes committed", err)
        self.assertEqual(["2"], self.ids("x"))

    def test_a_first_operation_that_is_refused_leaves_the_index_alone(self):
        self.index_lines({"id": "1", "body": "x"})
        _, err = self.index_lines({"op": "delete"}, code=1, words=("--create",))
        self.assertIn("nothing was indexed", err)
        self.assertEqual(["1"], self.ids("x"))

    def test_the_text_report_tells_the_operations(self):
        schema = self.schema(ID)
        source = self.write("d.jsonl", '{"id": "1"}\n' + json.dumps({"op": "update", "term": ["id", "1"], "doc": {"id": "1"}}) + "\n"
                            + json.dumps(delete("2")) + "\n")
        out, _ = self.run_command("index", "--out", self.index, "--schema", schema, source)
        self.assertTrue(out.startswith("2 documents, 1 update, 1 delete in "), out)


if __name__ == "__main__":
    command.main()
