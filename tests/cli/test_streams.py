#!/usr/bin/env python3
"""test_streams.py BUILD_DIR: standard streams that the caller closed, and numbers that are none."""
import os
import subprocess

import command


class Streams(command.CommandTest):
    def run_closed(self, *words, closed):
        """The exit code with these descriptors closed."""
        def close():
            for descriptor in closed:
                os.close(descriptor)

        return subprocess.run([command.POSTERN, *map(str, words)], preexec_fn=close, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=60).returncode

    def test_messages_of_closed_streams_do_not_land_in_the_index(self):
        schema = self.schema({"name": "t", "type": "text"})
        source = self.write("d.jsonl", '{"t": "x"}\nnot json\n{"t": "x y"}\n')
        for closed in ([0], [1], [2], [0, 1], [1, 2], [0, 1, 2]):
            with self.subTest(closed=closed):
                code = self.run_closed("index", "--out", self.index, "--create", "--schema", schema, "--on-error", "skip", "--json", source,
                                       closed=closed)
                self.assertEqual(0, code)
                self.assertEqual(2, self.count("t", "x"))
                self.assertEqual(0, (self.index / "write.lock").stat().st_size)

    def test_a_full_standard_error_ends_nothing(self):
        schema = self.schema({"name": "t", "type": "text"})
        source = self.write("d.jsonl", '{"t": "x"}\nnot json\n{"t": "x y"}\n')
        with open("/dev/full", "wb") as full:
            done = subprocess.run([command.POSTERN, "index", "--out", self.index, "--schema", schema, "--on-error", "skip", source],
                                  stdout=subprocess.DEVNULL, stderr=full)
        self.assertEqual(0, done.returncode)
        self.assertEqual(2, self.count("t", "x"))

    def run_full(self, *words):
        """Exit code and standard error with a standard output that takes nothing."""
        with open("/dev/full", "wb") as full:
            done = subprocess.run([command.POSTERN, *map(str, words)], stdout=full, stderr=subprocess.PIPE)
        return done.returncode, done.stderr.decode()

    def test_an_answer_that_does_not_arrive_is_an_error(self):
        source = self.write("d.jsonl", "".join(f'{{"t": "x{i}"}}\n' for i in range(3000)))
        full = "postern: cannot write to standard output: No space left on device\n"
        committed = full + "postern: the index is committed; only the report is lost\n"
        for mode, report in (("--create", []), ("--append", ["--json"])):
            self.assertEqual((3, committed), self.run_full("index", "--out", self.index, mode, *report, "--schema",
                                                           self.schema({"name": "t", "type": "text", "store": True}), source))
        self.assertEqual(2, self.count("t", "x2999"))
        many = [f"x{i}" for i in range(3000)]  # more than a buffer holds
        for words in (["info", self.index], ["info", "--json", self.index], ["check", self.index], ["check", "--json", self.index],
                      ["lookup", "--index", self.index, "--field", "t", "x1"], ["lookup", "--index", self.index, "--field", "t", *many],
                      ["--help"], ["index", "--help"], ["--version"]):
            with self.subTest(words=words[:2]):
                self.assertEqual((3, full), self.run_full(*words))

    def test_what_is_wrong_with_an_index_counts_more_than_a_full_output(self):
        self.build("--schema", self.schema({"name": "t", "type": "text"}), self.write("d.jsonl", '{"t": "x"}\n'))
        os.truncate(next(self.index.glob("*.cfs")), 100)
        code, err = self.run_full("check", self.index)
        self.assertEqual(2, code, err)
        self.assertIn("standard output", err)

    def test_a_reader_that_goes_away_ends_nothing_half_way(self):
        schema = self.schema({"name": "t", "type": "text"})
        run = subprocess.Popen([command.POSTERN, "index", "--out", self.index, "--schema", schema, "-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        run.stdout.close()
        run.stdin.write(b'{"t": "x"}\n')
        run.stdin.close()
        err = run.stderr.read().decode()
        run.stderr.close()
        self.assertEqual(3, run.wait())
        self.assertIn("the index is committed", err)
        self.assertEqual(1, self.count("t", "x"))

    def test_closed_input_is_an_error_not_a_wait(self):
        schema = self.schema({"name": "t", "type": "text"})
        self.assertEqual(3, self.run_closed("index", "--out", self.index, "--schema", schema, "-", closed=[0]))

    def test_memory_must_be_a_number(self):
        source = self.write("d.jsonl", "{}\n")
        for number in ("nan", "inf", "-1", "0", "1x", ""):
            _, err = self.run_command("index", "--out", self.index, "--ram-mb", number, source, code=1)
            self.assertIn("--ram-mb", err)
            self.assertLess(len(err), 200)


if __name__ == "__main__":
    command.main()
