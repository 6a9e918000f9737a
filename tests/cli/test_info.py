#!/usr/bin/env python3
"""test_info.py BUILD_DIR: `postern info` on Lucene's own indexes and on postern's."""
import json
import pathlib
import shutil

import command

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"


class Info(command.CommandTest):
    def info(self, index):
        out, err = self.run_command("info", "--json", index)
        self.assertEqual("", err)
        return json.loads(out)

    def test_fields_of_lucenes_indexes_are_those_of_their_schema(self):
        for case in ("updates", "merged", "points"):
            with self.subTest(case=case):
                schema = json.loads((GOLDEN / case / "schema.json").read_text())
                fields = {f["name"]: f for f in self.info(GOLDEN / case / "index")["fields"]}
                self.assertEqual({f["name"] for f in schema["fields"]}, set(fields))
                for wanted in schema["fields"]:
                    found = fields[wanted["name"]]
                    values = wanted.get("doc_values", "none")
                    self.assertEqual(values, found["doc_values"], wanted)
                    self.assertEqual(wanted.get("doc_values_skip_index", False), found["doc_values_skip_index"], wanted)
                    self.assertEqual("term_vector" in wanted, found["term_vectors"], wanted)
                    default = {"text": "positions", "keyword": "docs"}.get(wanted["type"], "none") if wanted.get("index", True) else "none"
                    self.assertEqual(wanted.get("index_options", default), found["index_options"], wanted)
                    self.assertEqual(wanted["type"] == "text", found["norms"], wanted)
                    points = wanted["type"] not in ("text", "keyword") and wanted.get("index", wanted["type"] != "binary")
                    self.assertEqual(wanted.get("dims", 1) if points else 0, found["point_dimensions"], wanted)

    def test_segments_commits_and_generations(self):
        info = self.info(GOLDEN / "updates" / "index")
        commit, = info["commits"]
        self.assertEqual(("segments_3", 3, 2, 240, 28), tuple(commit[k] for k in ("file", "generation", "segments", "documents", "deleted")))
        self.assertEqual([("_0", 180, 21, 2), ("_1", 60, 7, 3)],
                         [(s["name"], s["documents"], s["deleted"], s["doc_values_generation"]) for s in info["segments"]])
        merged = self.info(GOLDEN / "merged" / "index")
        self.assertEqual([["kind", "id"]] * 2, [s["sorted_by"] for s in merged["segments"]])
        self.assertEqual([True, True], [s["compound"] for s in merged["segments"]])
        deletes = self.info(GOLDEN / "deletes" / "index")
        self.assertEqual({"why": "a second generation"}, deletes["commits"][0]["user_data"])

    def test_components_add_up_to_the_files(self):
        for case in ("updates", "merged", "vectors"):
            with self.subTest(case=case):
                info = self.info(GOLDEN / case / "index")
                size = sum(f.stat().st_size for f in (GOLDEN / case / "index").iterdir())
                self.assertEqual(size, info["bytes"])
                self.assertEqual(size, sum(info["components"].values()))
                self.assertIn("term vectors", info["components"])

    def test_older_commits_are_listed(self):
        schema, source = self.schema({"name": "id", "type": "keyword"}), self.write("d.jsonl", '{"id": "x"}\n')
        self.build("--schema", schema, source)
        shutil.copyfile(self.index / "segments_1", self.folder / "segments_1")
        self.build("--append", "--schema", schema, source)
        shutil.copyfile(self.folder / "segments_1", self.index / "segments_1")
        self.assertEqual([(2, 2), (1, 1)], [(c["generation"], c["documents"]) for c in self.info(self.index)["commits"]])

    def test_text_output(self):
        out, _ = self.run_command("info", GOLDEN / "merged" / "index")
        lines = out.splitlines()
        self.assertEqual(["commit", "segments", "documents", "deleted", "written", "by"], lines[0].split())
        self.assertEqual(["segments_3", "2", "173", "2", "Lucene", "10.4.0"], lines[1].split())
        self.assertIn("kind", out)
        self.assertTrue(any(line.startswith("numbers") and "sorted_numeric, skip index" in line and "8 bytes" in line for line in lines))
        self.assertFalse(any(line.endswith(" ") for line in lines))

    def test_control_characters_do_not_reach_the_terminal(self):
        self.build("--schema", self.schema({"name": "a\x1b[31mred\x07", "type": "keyword"}), self.write("d.jsonl", '{"a\\u001b[31mred\\u0007": "x"}\n'))
        out, _ = self.run_command("info", self.index)
        self.assertIn("a?[31mred?", out)
        self.assertEqual("a\x1b[31mred\x07", self.info(self.index)["fields"][0]["name"])

    def test_mistakes(self):
        _, err = self.run_command("info", self.folder / "nowhere", code=1)
        self.assertIn("there is no index", err)
        _, err = self.run_command("info", self.folder, code=1)
        self.assertIn("there is no index in", err)
        self.index.mkdir()
        (self.index / "segments_1").write_bytes(b"not a commit")
        _, err = self.run_command("info", self.index, code=2)
        self.assertIn("segments_1", err)


if __name__ == "__main__":
    command.main()
