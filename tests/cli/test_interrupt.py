#!/usr/bin/env python3
"""test_interrupt.py BUILD_DIR: Ctrl-C and SIGTERM. The first commits what is whole and says so, the second stops at once.

Nothing here is decided by time: a signal is sent when the process sleeps with nothing left to read, or has no handlers any more.
"""
import fcntl
import json
import os
import signal
import struct
import subprocess
import termios
import time

import command

SCHEMA = [{"name": "id", "type": "keyword", "store": True}, {"name": "body", "type": "text"}]
BEFORE = '{"id": "a"}\n{"id": "b"}\n{"op": "commit"}\n{"id": "c"}\n'


def wait_until(condition):
    while not condition():
        time.sleep(0.002)


class Interrupts(command.CommandTest):
    def start(self, *words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, schema=True):
        more = ["--schema", self.schema(*SCHEMA)] if schema else []
        words = [command.POSTERN, "index", "--out", self.index, *more, "--json", *words]
        run = subprocess.Popen([str(w) for w in words], stdin=stdin, stdout=subprocess.PIPE, stderr=stderr)
        self.addCleanup(self.end, run)
        return run

    @staticmethod
    def end(run):
        run.kill()
        run.wait()
        for stream in (run.stdin, run.stdout, run.stderr):
            if stream is not None:
                stream.close()

    @staticmethod
    def sleeps(run):
        """All threads of the process wait for something; it must not have ended."""
        states = set()
        for task in os.listdir(f"/proc/{run.pid}/task"):
            with open(f"/proc/{run.pid}/task/{task}/stat") as f:
                states.add(f.read().rsplit(")", 1)[1].split()[0])
        assert "Z" not in states, "the process has ended"
        return states == {"S"}

    def feed(self, run, text):
        """Gives it text and waits until all is read and worked on."""
        run.stdin.write(text.encode())
        run.stdin.flush()
        left = bytearray(4)

        def is_read():
            fcntl.ioctl(run.stdin, termios.FIONREAD, left)
            return struct.unpack("i", left) == (0,) and self.sleeps(run)
        wait_until(is_read)

    @staticmethod
    def handles_nothing(run):
        """It has got its first signal and waits for no other."""
        with open(f"/proc/{run.pid}/status") as f:
            caught = int(next(line for line in f if line.startswith("SigCgt")).split()[1], 16)
        return caught & (1 << (signal.SIGINT - 1) | 1 << (signal.SIGTERM - 1)) == 0

    def expect(self, *ids):
        """The index has these documents, is sound, and takes more."""
        self.assertEqual([1] * len(ids), [r["documents"] for r in self.look_up("id", *ids)])
        out, _ = self.run_command("check", "--json", self.index)
        self.assertEqual(len(ids), sum(s["documents"] - s["deleted"] for s in json.loads(out)["segments"]))
        report, _ = self.build("--append", "--schema", self.schema(*SCHEMA), self.write("later.jsonl", '{"id": "later"}\n'))
        self.assertEqual(len(ids) + 1, report["index_documents"])
        out, _ = self.run_command("check", "--json", self.index)
        self.assertEqual([], json.loads(out)["notes"])

    def test_the_first_signal_commits_the_documents_that_are_whole(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for threads in (1, 3):
                with self.subTest(number=number, threads=threads):
                    run = self.start("--create", "--threads", threads, "-")
                    self.feed(run, BEFORE + '{"id": "half')
                    run.send_signal(number)
                    out, err = run.stdout.read().decode(), run.stderr.read().decode()
                    self.assertEqual(130, run.wait(), err)
                    report = json.loads(out)
                    self.assertTrue(report["interrupted"])
                    self.assertIsNone(report["error"])
                    # Several threads take whole pieces of a pipe; what is only partly there is not begun.
                    ids = ["a", "b", "c"][:report["documents"]]
                    self.assertIn(len(ids), (3,) if threads == 1 else (2, 3))
                    self.assertIn("postern: interrupted\n", err)
                    self.assertIn(f"postern: {len(ids)} documents committed, the rest of the input is not", err)
                    self.expect(*ids)

    def full_pipe(self):
        """A pipe that takes nothing more: whoever writes into it waits."""
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(writer, True)
        return writer

    def test_the_second_signal_stops_at_once(self):
        # It says what was committed to somebody who does not listen.
        for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGINT)):
            with self.subTest(first=first, second=second):
                run = self.start("--create", "--threads", 1, "-", stderr=self.full_pipe())
                self.feed(run, BEFORE)
                commits = {p.name for p in self.index.glob("segments_*")}
                run.send_signal(first)
                wait_until(lambda: self.handles_nothing(run))
                wait_until(lambda: {p.name for p in self.index.glob("segments_*")}.isdisjoint(commits))
                wait_until(lambda: self.sleeps(run))
                run.send_signal(second)
                self.assertEqual(-second, run.wait())
                self.expect("a", "b", "c")

    def test_the_second_signal_during_the_last_commit_leaves_the_one_before_or_that_one(self):
        run = self.start("--threads", 1, "--ram-mb", 500, "-", stderr=self.full_pipe())
        many = [f'd{i}' for i in range(20000)]
        self.feed(run, BEFORE + "".join('{"id": "%s", "body": "%s"}\n' % (d, " ".join(f"w{d}x{j}" for j in range(40))) for d in many))
        run.send_signal(signal.SIGINT)
        wait_until(lambda: self.handles_nothing(run))
        run.send_signal(signal.SIGINT)
        self.assertEqual(-signal.SIGINT, run.wait())
        self.expect("a", "b", *(["c", *many] if self.count("id", "c") else []))

    def test_a_named_pipe_that_nobody_writes_to_can_be_given_up(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)

        def waits_for_it(run):
            folder = f"/proc/{run.pid}/fd"
            return any(os.readlink(f"{folder}/{d}") == str(pipe) for d in os.listdir(folder)) and self.sleeps(run)

        run = self.start("--threads", 1, self.write("d.jsonl", '{"id": "a"}\n{"id": "b"}\n'), pipe)
        wait_until(lambda: waits_for_it(run))
        run.send_signal(signal.SIGINT)
        report = json.loads(run.stdout.read())
        err = run.stderr.read().decode()
        self.assertEqual(130, run.wait(), err)
        self.assertTrue(report["interrupted"])
        self.assertIn("2 documents committed", err)
        self.expect("a", "b")

        self.index = self.folder / "other"
        run = self.start(pipe, schema=False)
        wait_until(lambda: waits_for_it(run))
        run.send_signal(signal.SIGINT)
        self.assertEqual(130, run.wait(), run.stderr.read())
        self.assertFalse(self.index.exists())

    def test_a_named_pipe_is_read_to_its_end(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        run = self.start(pipe)
        with open(pipe, "w") as f:
            f.write(BEFORE)
        out, err = run.communicate()
        self.assertEqual(0, run.returncode, err)
        self.assertEqual(3, json.loads(out)["documents"])
        self.expect("a", "b", "c")


if __name__ == "__main__":
    command.main()
