#!/usr/bin/env python3
"""golden_test.py BUILD_DIR: postern, given the golden inputs, writes the files that Lucene wrote.

Compared byte by byte, segment ids, checksums and .si apart, for every pool layout. Needs no Java.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import index_files  # noqa: E402

POSTERN = None


def postern_options(options):
    return ["stop" if o == "fail" else o for o in options]


class GoldenTest(unittest.TestCase):
    def build(self, case, out, pools):
        options = json.loads((case / "case.json").read_text())["options"]
        done = subprocess.run([POSTERN, "index", "--threads", "1", "--out", out, "--schema", case / "schema.json", "--pools", pools, "--quiet",
                               *postern_options(options), case / "docs.jsonl.gz"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(0, done.returncode, done.stdout)

    def test_every_case_is_byte_identical(self):
        compared = 0
        for file in sorted(HERE.glob("*/case.json")):
            if not json.loads(file.read_text())["rebuild"]:
                continue
            for pools in ("inline", "separate", "shared"):
                with self.subTest(case=file.parent.name, pools=pools), tempfile.TemporaryDirectory() as out:
                    self.build(file.parent, out, pools)
                    differences = index_files.differences(file.parent / "index", out)
                    self.assertEqual([], differences)
                    compared += 1
        self.assertGreaterEqual(compared, 30)

    def test_the_comparison_sees_one_changed_byte(self):
        for case in ("mixed_plain", "mixed_compound"):
            source = HERE / case / "index"
            for path in sorted(source.iterdir()):
                if path.suffix not in (".doc", ".tim", ".fdt", ".cfs", ".nvd"):
                    continue
                with self.subTest(file=path.name), tempfile.TemporaryDirectory() as out:
                    changed = pathlib.Path(out) / "index"
                    shutil.copytree(source, changed)
                    data = bytearray(path.read_bytes())
                    data[len(data) // 2] ^= 1
                    (changed / path.name).write_bytes(bytes(data))
                    self.assertEqual(1, len(index_files.differences(source, changed)))


if __name__ == "__main__":
    POSTERN = pathlib.Path(sys.argv.pop(1)).resolve() / "postern"
    unittest.main()
