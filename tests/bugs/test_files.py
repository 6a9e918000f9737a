#!/usr/bin/env python3
"""test_files.py BUILD_DIR: reports about files, locks and file descriptors (docs/bug_reports.md, rows 55 and 56)."""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

POSTERN = None
SCHEMA = {"fields": [{"name": "id", "type": "keyword", "store": True}, {"name": "body", "type": "text"}]}


class FilesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = pathlib.Path(temporary.name)
        (self.work / "schema.json").write_text(json.dumps(SCHEMA))

    def run_postern(self, *words, stdin="", files=None):
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        return subprocess.run([str(w) for w in (POSTERN, *words)], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              preexec_fn=limit)

    def index(self, out, documents, *options, files=None):
        lines = "".join(json.dumps({"id": f"d{i}", "body": "some words"}) + "\n" for i in range(documents))
        done = self.run_postern("index", "--out", out, "--schema", self.work / "schema.json", "--quiet", *options, "-", stdin=lines, files=files)
        self.assertEqual(0, done.returncode, done.stderr)

    def count(self, out, files=None):
        done = self.run_postern("lookup", "--index", out, "--field", "body", "--json", "words", files=files)
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout)["documents"]

    def test_any_folder_name_works(self):
        for name in ("with spaces", "Größe-東京-\U0001f600", "n" * 200, "a/b/c/d", "-dash", "quote'\"", "%s%d"):
            with self.subTest(name=name):
                self.index(self.work / name, 3)
                self.assertEqual(3, self.count(self.work / name))

    def test_a_linked_folder_is_the_folder(self):
        (self.work / "real").mkdir()
        (self.work / "link").symlink_to(self.work / "real", target_is_directory=True)
        self.index(self.work / "link", 3)
        self.index(self.work / "real", 4, "--append")
        self.assertEqual(7, self.count(self.work / "link"))

    def test_a_lock_file_left_behind_means_nothing(self):
        out = self.work / "index"
        out.mkdir()
        (out / "write.lock").touch()
        self.index(out, 2)
        self.index(out, 2, "--append")
        self.assertEqual(4, self.count(out))

    def test_a_second_writer_is_refused_and_changes_nothing(self):
        out = self.work / "index"
        self.index(out, 2)
        command = [POSTERN, "index", "--out", out, "--schema", self.work / "schema.json", "--append", "--quiet", "-"]
        first = subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            # It reads only once it has the lock, and a pipe holds less than this.
            first.stdin.write('{"id": "x", "body": "first writer"}\n' * 30000)
            first.stdin.flush()
            second = self.run_postern(*command[1:], stdin='{"id": "y"}\n')
            self.assertNotEqual(0, second.returncode)
            self.assertIn("lock", second.stderr.lower())
        finally:
            _, errors = first.communicate()
        self.assertEqual(0, first.returncode, errors)
        self.assertEqual(2, self.count(out))

    def test_two_hundred_segments_need_few_file_descriptors(self):
        out = self.work / "index"
        self.index(out, 400, "--max-buffered-docs", "2", files=64)
        self.assertEqual(200, len(list(out.glob("*.cfs"))))
        self.index(out, 2, "--append", files=64)
        self.assertEqual(402, self.count(out, files=64))

    def test_loose_segments_of_many_kinds_of_field_need_few_file_descriptors(self):
        fields = [*SCHEMA["fields"], {"name": "tv", "type": "text", "term_vector": "yes"}, {"name": "n", "type": "long", "doc_values": True},
                  {"name": "v", "type": "knn_vector", "dimension": 1, "element_type": "byte", "similarity": "l2"}]
        (self.work / "schema.json").write_text(json.dumps({"fields": fields}))
        out = self.work / "index"
        lines = "".join(json.dumps({"id": f"d{i}", "body": "some words", "tv": "x", "n": i, "v": [i % 100]}) + "\n" for i in range(100))
        words = ("index", "--out", out, "--schema", self.work / "schema.json", "--quiet", "--compound", "false", "--max-buffered-docs", "2")
        for more in ((), ("--append", "--threads", "2")):
            done = self.run_postern(*words, *more, "-", stdin=lines, files=64)
            self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertGreater(len(list(out.iterdir())), 100 * 20)
        for what in (("check", "--threads", "8", "--quiet", out), ("info", out), ("lookup", "--index", out, "--field", "body", "words")):
            done = self.run_postern(*what, files=64)
            self.assertEqual((0, ""), (done.returncode, done.stderr))

    def test_too_few_file_descriptors_are_an_error_that_says_what_to_do(self):
        if b"__ubsan_" in POSTERN.read_bytes():
            self.skipTest("the undefined-behaviour sanitizer needs file descriptors of its own to look at objects")
        out = self.work / "index"
        self.index(out, 3)
        before = sorted(p.name for p in out.iterdir())
        lines = '{"id": "x", "body": "some words"}\n'
        # With so few the first files of a segment can be made, but not all.
        done = self.run_postern("index", "--out", out, "--append", "--schema", self.work / "schema.json", "--quiet", "-", stdin=lines, files=10)
        self.assertEqual(3, done.returncode, done.stderr)
        self.assertRegex(done.stderr, f"{out}/_1[^ ]+: cannot create: Too many open files "
                                      r"\(this process may have 10; ulimit -n raises the limit\)")
        self.assertEqual(before, sorted(p.name for p in out.iterdir()))
        self.assertEqual(3, self.count(out))
        for what in (("check", "--threads", "1", out), ("info", out), ("lookup", "--index", out, "--field", "body", "words")):
            done = self.run_postern(*what, files=4)  # standard streams, and one file at a time, of each thread
            self.assertEqual((0, ""), (done.returncode, done.stderr))

    def test_damage_is_an_error_and_no_crash(self):
        out = self.work / "index"
        self.index(out, 50)
        for path in sorted(p for p in out.iterdir() if p.suffix in (".cfs", ".cfe", ".si") or p.name.startswith("segments_")):
            data = path.read_bytes()
            for cut in (0, 1, len(data) // 2, len(data) - 1):
                with self.subTest(file=path.name, cut=cut):
                    path.write_bytes(data[:cut])
                    done = self.run_postern("lookup", "--index", out, "--field", "body", "words")
                    self.assertEqual(2, done.returncode, done.stdout + done.stderr)
                    self.assertIn(path.name, done.stderr)
            for flip in range(len(data) - 16, len(data) - 8):
                with self.subTest(file=path.name, flip=flip):
                    path.write_bytes(data[:flip] + bytes([data[flip] ^ 0x41]) + data[flip + 1:])
                    done = self.run_postern("lookup", "--index", out, "--field", "body", "words")
                    self.assertEqual(2, done.returncode, done.stdout + done.stderr)
            path.write_bytes(data)
        self.assertEqual(50, self.count(out))


if __name__ == "__main__":
    POSTERN = pathlib.Path(sys.argv.pop(1)).resolve() / "postern"
    unittest.main()
