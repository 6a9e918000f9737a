#!/usr/bin/env python3
"""test_disk_full.py BUILD_DIR: `postern index` onto a full disk and a read-only one: a small tmpfs in a mount namespace of its own.

Skipped, aloud, where no file system can be mounted, not even in a user namespace.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

import command

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lucene_inspect import compound, segments  # noqa: E402

INSIDE = "POSTERN_MOUNT_NAMESPACE"
SCHEMA = [{"name": "id", "type": "keyword", "store": True}, {"name": "all", "type": "keyword"},
          {"name": "body", "type": "text", "term_vector": "yes", "store": True}, {"name": "n", "type": "long", "doc_values": True}]
PAGE = 4096


def enter_namespace():
    """Runs this program again where it may mount; returns only if that is not possible, with the reasons."""
    reasons = []
    for words in (["unshare", "-m"], ["unshare", "-rm"]):
        try:
            trial = subprocess.run([*words, "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /tmp"], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        except OSError as e:
            return [str(e)]
        if trial.returncode == 0:
            os.environ[INSIDE] = "1"
            os.execvp(words[0], [*words, sys.executable, *sys.argv])
        reasons.append(f"{' '.join(words)}: {trial.stdout.strip()}")
    return reasons


def documents(name, count):
    return "".join(json.dumps({"id": f"{name}{i}", "all": "x", "n": i, "body": f"{os.urandom(120).hex()} word{i}"}) + "\n" for i in range(count))


class DiskFull(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        self.mount("size=1m")
        self.addCleanup(subprocess.run, ["umount", self.disk], check=True)
        self.index = self.disk / "index"
        self.schema_file = self.schema(*SCHEMA)

    def mount(self, options):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.disk], check=True)

    def free(self):
        disk = os.statvfs(self.disk)
        return disk.f_bavail * disk.f_frsize

    def leave(self, free):
        """Fills the disk up to so many bytes."""
        filler = self.disk / "filler"
        filler.unlink(missing_ok=True)
        filler.write_bytes(bytes(self.free() - free))
        self.assertEqual(free, self.free())

    def append(self, source, *options):
        words = ["index", "--out", self.index, "--append", "--schema", self.schema_file, "--quiet", *options, source]
        done = subprocess.run([command.POSTERN, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stderr

    def expect(self, *ids):
        """Exactly these documents, in a sound index, beside which nothing lies."""
        found, = self.look_up("all", "x", first=10000)
        self.assertEqual(sorted(ids), sorted(dict(d["stored"])["id"] for d in found["first"]))
        self.run_command("check", self.index)
        commit = segments.read_latest(compound.FileDirectory(self.index))
        self.assertEqual({*commit.all_files(), "write.lock"}, set(os.listdir(self.index)))

    def test_every_amount_of_space_that_is_too_small(self):
        old = [f"old{i}" for i in range(20)]
        new = [f"new{i}" for i in range(60)]
        source = self.write("new.jsonl", documents("new", 60))
        for options in (["--compound", "false"], ["--compound", "true", "--max-buffered-docs", "25"],
                        ["--compound", "false", "--threads", "2", "--stored-mode", "compression"]):
            with self.subTest(options=options):
                self.build("--create", "--schema", self.schema_file, self.write("old.jsonl", documents("old", 20)))
                refused = 0
                for free in range(0, 400 * PAGE, PAGE):
                    self.leave(free)
                    code, err = self.append(source, *options)
                    if code == 0:
                        break
                    refused += 1
                    self.assertEqual(3, code, err)
                    self.assertRegex(err, rf"postern: {re.escape(str(self.index))}/\S+: cannot write \d+ bytes at byte \d+ "
                                          r"\(\d+ bytes free\): No space left on device\n")
                    self.assertIn("as its last commit left it", err)
                    self.assertEqual(free, self.free(), "what was written is gone")
                    self.expect(*old)
                self.assertGreater(refused, 5)
                self.expect(*old, *new)
                (self.disk / "filler").unlink()

    def test_it_goes_on_when_there_is_room(self):
        old = self.write("old.jsonl", documents("old", 20))
        big = self.write("big.jsonl", documents("big", 150) + '{"op": "commit"}\n' + documents("more", 9000))
        more = self.write("more.jsonl", documents("more", 50))
        committed = [*(f"old{i}" for i in range(20)), *(f"big{i}" for i in range(150))]
        for threads in (1, 3):
            with self.subTest(threads=threads):
                self.mount("remount,size=1m")
                self.build("--create", "--schema", self.schema_file, old)
                code, err = self.append(big, "--threads", threads, "--ram-mb", "1")
                self.assertEqual(3, code, err)
                self.assertIn("No space left on device", err)
                self.expect(*committed)
                self.mount("remount,size=40m")
                self.assertEqual((0, ""), self.append(more))
                self.expect(*committed, *(f"more{i}" for i in range(50)))

    def test_a_read_only_disk(self):
        """It is said which file and why; reading works."""
        self.build("--schema", self.schema_file, self.write("old.jsonl", documents("old", 20)))
        self.mount("remount,ro")
        code, err = self.append(self.write("more.jsonl", documents("more", 3)))
        self.assertEqual(3, code, err)
        self.assertRegex(err, rf"postern: {re.escape(str(self.index))}/write.lock: cannot .*: Read-only file system\n")
        self.run_command("info", self.index)
        self.expect(*(f"old{i}" for i in range(20)))
        _, err = self.run_command("index", "--out", self.disk / "another", "--schema", self.schema_file, self.folder / "more.jsonl", code=3)
        self.assertIn(f"{self.disk}/another: cannot create the folder: Read-only file system", err)


if __name__ == "__main__":
    if os.environ.get(INSIDE) != "1":
        reasons = enter_namespace()
        print("SKIPPED: no file system can be mounted here, so a full disk was not tried:\n  " + "\n  ".join(reasons))
        sys.exit(77)
    command.main()
