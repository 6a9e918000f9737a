#!/usr/bin/env python3
"""test_index.py BUILD_DIR: `postern index` from the outside: inputs, errors, exit codes, reports."""
import fcntl
import gzip
import json
import os
import pathlib
import pty
import re
import resource
import signal
import subprocess
import time

import command

ID = {"name": "id", "type": "keyword", "store": True}
BODY = {"name": "body", "type": "text"}
PRICE = {"name": "price", "type": "double", "index": False, "store": True}


def lines(*documents):
    return "".join(json.dumps(d) + "\n" for d in documents)


class Inputs(command.CommandTest):
    def test_json_lines_from_a_file_gzip_and_standard_input(self):
        text = lines({"id": "a", "body": "one two"}, {"id": "b", "body": "two"}).encode()
        for source, stdin in ((self.write("d.jsonl", text), b""), (self.write("d.jsonl.gz", gzip.compress(text)), b""),
                              ("-", text), ("-", gzip.compress(text))):
            with self.subTest(source=source):
                report, _ = self.build("--create", "--schema", self.schema(ID, BODY), source, stdin=stdin)
                self.assertEqual(2, report["documents"])
                self.assertEqual(len(text), report["text_bytes"])
                self.assertEqual([2, 1], [r["documents"] for r in self.look_up("body", "two", "one")])
                self.assertEqual([["id", "a"]], self.look_up("body", "one")[0]["first"][0]["stored"])

    def test_line_documents(self):
        source = self.write("d.txt", "Title one\t2020-01-01\tthe body\twith a tab\nTitle two\t2020-01-02\tmore\n")
        report, _ = self.build(source)
        self.assertEqual(2, report["documents"])
        self.assertEqual([2, 1, 1], [self.count("title", "title"), self.count("body", "tab"), self.count("date", "2020-01-02")])

    def test_a_folder_of_text_files(self):
        self.write("texts/a.txt", "first words")
        self.write("texts/sub/b.md", "second words")
        self.write("texts/.hidden", "hidden words")
        report, _ = self.build(self.folder / "texts")
        self.assertEqual(2, report["documents"])
        found = self.look_up("body", "words")[0]
        stored = [dict(d["stored"]) for d in found["first"]]
        self.assertEqual([str(self.folder / "texts/a.txt"), str(self.folder / "texts/sub/b.md")], [s["path"] for s in stored])
        self.assertEqual(["a", "b"], [s["title"] for s in stored])
        self.assertEqual(["11", "12"], [s["size"] for s in stored])

    def test_several_inputs_in_their_order(self):
        a, b = self.write("a.jsonl", lines({"id": "1"})), self.write("b.jsonl", lines({"id": "2"}, {"id": "3"}))
        self.build("--schema", self.schema(ID), b, a)
        self.assertEqual([2, 0, 1], [self.look_up("id", t)[0]["first"][0]["doc"] for t in ("1", "2", "3")])

    def test_inputs_of_different_kinds_need_a_schema(self):
        _, err = self.run_command("index", "--out", self.index, self.write("a.jsonl", "{}"), self.write("b.txt", "x"), code=1)
        self.assertIn("inputs of different kinds need a --schema", err)
        self.assertFalse(self.index.exists())

    def test_an_inferred_schema_can_be_saved_and_given_back(self):
        source = self.write("d.jsonl", lines({"id": "a", "text": "some words", "year": 1999}))
        out, err = self.run_command("index", "--out", self.index, source)
        printed = err[err.index("{"):]
        self.assertEqual(["id", "text", "year", "*"], [f["name"] for f in json.loads(printed)["fields"]])
        report, err = self.build("--create", "--schema", self.write("saved.json", printed), source)
        self.assertEqual("", err)
        self.assertIsNone(report["inferred_schema"])
        self.assertEqual(1, self.count("year", "1999"))
        self.assertIn("1 document in", out)

    def test_a_line_of_a_hundred_million_bytes(self):
        with (self.folder / "d.jsonl").open("wb") as f:
            f.write(b'{"id": "before", "body": "x"}\n{"id": "giant", "body": "')
            for _ in range(100):
                f.write(b"needle hay " + b"hay " * 249998)
            f.write(b'"}\n{"id": "after", "body": "x"}\n')
        for ram in (256, 1):  # it is also larger than a memory budget of 1 MB
            report, _ = self.build("--create", "--schema", self.schema(ID, BODY), "--ram-mb", ram, self.folder / "d.jsonl")
            self.assertEqual(3, report["documents"])
            self.assertEqual(1 if ram == 256 else 2, report["segments"])
            needle = self.look_up("body", "needle")[0]
            self.assertEqual((1, 100), (needle["documents"], needle["occurrences"]))
            self.assertEqual([["id", "giant"]], needle["first"][0]["stored"])
            self.assertEqual(100 * 249999, self.look_up("body", "hay")[0]["occurrences"])

    def test_a_hundred_thousand_fields(self):
        text = "".join('{"f_%d": "v"}\n' % i for i in range(100000))
        report, _ = self.build("--schema", self.schema({"name": "f_*", "type": "keyword"}), "-", stdin=text.encode())
        self.assertEqual(100000, report["documents"])
        self.assertEqual(1, self.count("f_99999", "v"))
        # docs/bug_reports.md, row 32.
        self.assertLess(report["components"]["segment information"], 20_000_000)

    def test_odd_paths(self):
        self.index = self.folder / "an index — with blanks"
        self.build("--schema", self.schema(ID), self.write("dä ta.jsonl", lines({"id": "1"})))
        self.assertEqual(1, self.count("id", "1"))


class Refusals(command.CommandTest):
    BAD = ('{"id": "1", "price": 1.5}\n'
           '{"id": "2", "price": "cheap"}\n'
           '{"id": "3", "price": 3}\n'
           'not json\n'
           '{"id": "5", "colour": "red"}\n'
           '{"id": "6"}\n')

    def test_stop_commits_what_came_before(self):
        report, err = self.build("--schema", self.schema(ID, PRICE), self.write("d.jsonl", self.BAD), code=1)
        place = f'{self.folder}/d.jsonl line 2, field "price": not a double: "cheap"'
        self.assertEqual(f"postern: {place}\npostern: 1 document committed, the rest of the input is not\n", err)
        self.assertEqual(place, report["error"])
        self.assertEqual((1, 1), (report["documents"], report["refused"]))
        self.assertEqual([1, 0, 0], [self.count("id", t) for t in "123"])

    def test_skip_reports_each_and_goes_on(self):
        report, err = self.build("--schema", self.schema(ID, PRICE), "--on-error", "skip", self.write("d.jsonl", self.BAD))
        self.assertEqual((3, 3), (report["documents"], report["refused"]))
        refused = err.splitlines()
        self.assertEqual(3, len(refused), err)
        self.assertEqual(f'refused: {self.folder}/d.jsonl line 2, field "price": not a double: "cheap"', refused[0])
        self.assertEqual(f"refused: {self.folder}/d.jsonl line 4: a line must be a JSON object", refused[1])
        self.assertEqual(f'refused: {self.folder}/d.jsonl line 5, field "colour": not in the schema', refused[2])
        self.assertEqual([1, 0, 1, 0, 0, 1], [self.count("id", t) for t in "123456"])

    def test_nothing_before_the_mistake_leaves_the_index_alone(self):
        self.build("--schema", self.schema(ID), self.write("good.jsonl", lines({"id": "old"})))
        for mode in ("--create", "--append"):
            report, err = self.build(mode, "--schema", self.schema(ID), self.write("bad.jsonl", "{\n"), code=1)
            self.assertIn("nothing was indexed", err)
            self.assertEqual(1, report["index_documents"])
            self.assertEqual(1, self.count("id", "old"))

    def test_a_term_that_is_too_long_is_the_writers_refusal(self):
        # docs/bug_reports.md, row 1: 32,766 bytes are allowed; the message names field, length and line.
        source = self.write("d.jsonl", lines({"id": "x" * 32766}, {"id": "y" * 32767}, {"id": "€" * 10922}, {"id": "€" * 10923},
                                             {"id": "end"}))
        report, err = self.build("--schema", self.schema({"name": "id", "type": "keyword"}), "--on-error", "skip", source)
        self.assertEqual((3, 2), (report["documents"], report["refused"]))
        # As in Lucene, a document that is refused half-way keeps its number.
        self.assertEqual((5, 2), (report["index_documents"], report["index_deleted"]))
        first, second = err.splitlines()
        self.assertRegex(first, r"^refused: .*d\.jsonl line 2: .*'id'.*32767.*32766")
        self.assertRegex(second, r"^refused: .*d\.jsonl line 4: .*'id'.*32769.*32766")
        self.assertEqual(1, self.count("id", "end"))

    def test_operations_of_later_versions_are_named(self):
        _, err = self.build("--schema", self.schema(ID), self.write("d.jsonl", '{"op": "force_merge", "segments": 1}\n'), code=1)
        self.assertIn('line 1: "op": "force_merge" is not supported yet', err)

    def test_commit_operations_survive_a_later_mistake(self):
        source = self.write("d.jsonl", lines({"id": "1"}, {"op": "commit", "user_data": {"k": "v"}}, {"id": "2"}) + "{\n")
        report, _ = self.build("--schema", self.schema(ID), source, code=1)
        self.assertEqual((2, 2), (report["documents"], report["commit"]))

    def test_a_later_input_that_is_not_there_costs_nothing(self):
        _, err = self.run_command("index", "--out", self.index, "--schema", self.schema(ID), self.write("d.jsonl", "{}"),
                                  self.folder / "missing.jsonl", code=1)
        self.assertIn("there is no input", err)
        self.assertFalse(self.index.exists())

    def test_damaged_gzip_is_an_io_failure_behind_committed_documents(self):
        documents = lines(*({"id": str(i * 7919 % 100003)} for i in range(200000)))
        packed = gzip.compress(documents.encode())
        report, err = self.build("--schema", self.schema(ID), self.write("d.jsonl.gz", packed[:-1000]), code=3)
        self.assertIn("the gzip data is cut off", err)
        self.assertGreater(report["documents"], 0)
        self.assertEqual(report["documents"], report["index_documents"])


class Options(command.CommandTest):
    def test_mistakes_exit_with_1(self):
        source = self.write("d.jsonl", lines({"id": "1"}))
        for words, message in (
                (["--pools", "none", source], "--pools"),
                (["--threads", "0", source], "--threads"),
                (["--ram-mb", "0", source], "--ram-mb"),
                (["--ram-mb", "-5", source], "--ram-mb"),
                (["--compound", "maybe", source], "--compound"),
                (["--on-error", "ignore", source], "--on-error"),
                (["--create", "--append", source], "excludes"),
                (["--no-such-option", source], "--no-such-option"),
                ([], "INPUT"),
                ([self.write("d.csv", "a,b")], "known are .jsonl"),
                (["--schema", self.folder / "none.json", source], "there is no schema"),
                (["--schema", self.write("s.json", '{"fields": ['), source], "malformed JSON at line 1"),
                (["--schema", self.schema({"name": "id", "type": "knn_vector"}), source],
                 'a knn_vector needs "dimension"'),
                (["--append", source], str(self.index))):
            with self.subTest(words=words):
                _, err = self.run_command("index", "--out", self.index, *words, code=1)
                self.assertIn(message, err)
                self.assertNotIn("terminate", err)
                self.assertFalse(list(self.index.glob("segments*")))

    def test_help_and_version_of_each_subcommand(self):
        for words in (["--help"], ["index", "--help"], ["lookup", "--help"], ["--version"], ["index", "--version"],
                      ["lookup", "--version"]):
            out, _ = self.run_command(*words)
            self.assertIn("postern", out)
        out, _ = self.run_command("index", "--help")
        for option in ("--out", "--schema", "--threads", "--ram-mb", "--max-buffered-docs", "--pools", "--compound", "--stored-mode",
                       "--no-merge", "--create", "--append", "--on-error", "--json", "--quiet", "INPUT"):
            self.assertIn(option, out)

    def test_an_index_is_not_overwritten_unasked(self):
        source = self.write("d.jsonl", lines({"id": "1"}))
        schema = self.schema(ID)
        self.build("--schema", schema, source)
        _, err = self.run_command("index", "--out", self.index, "--schema", schema, source, code=1)
        self.assertIn("--append adds to it, --create replaces it", err)
        self.build("--schema", schema, "--append", source)
        self.assertEqual(2, self.count("id", "1"))
        self.build("--schema", schema, "--create", source)
        self.assertEqual(1, self.count("id", "1"))

    def test_flush_points_layouts_and_modes(self):
        source = self.write("d.jsonl", lines(*({"id": str(i), "body": f"word{i % 10} common"} for i in range(1000))))
        schema = self.schema(ID, BODY)
        for words in (["--max-buffered-docs", "300"], ["--pools", "separate"], ["--pools", "shared"], ["--compound", "false"],
                      ["--stored-mode", "compression"], ["--no-merge"], ["--ram-mb", "0.1"]):
            with self.subTest(words=words):
                report, _ = self.build("--create", "--schema", schema, *words, source)
                self.assertEqual(1000, report["documents"])
                self.assertEqual([1000, 100], [self.count("body", "common"), self.count("body", "word3")])
                if words[0] == "--max-buffered-docs":
                    self.assertEqual(4, report["segments"])
                    self.assertEqual({"documents": 3, "commit": 1}, report["flushes"])
                if words[0] == "--compound":
                    self.assertFalse(list(self.index.glob("*.cfs")))
                elif words[0] == "--pools":
                    self.assertTrue(list(self.index.glob("*.cfs")))

    def test_quiet_prints_nothing(self):
        out, err = self.run_command("index", "--out", self.index, "--quiet", self.write("d.jsonl", lines({"id": "1"})))
        self.assertEqual(("", ""), (out, err))

    def test_the_text_report(self):
        out, _ = self.run_command("index", "--out", self.index, "--schema", self.schema(ID, BODY),
                                  self.write("d.jsonl", lines({"id": "1", "body": "x"})))
        self.assertRegex(out, r"(?s)^1 document in .* documents/s, .* MB/s.*1 document in 1 segment, .*stored fields.*peak memory ")

    def test_report_keys(self):
        report, _ = self.build(self.write("d.jsonl", lines({"id": "1"})))
        self.assertLessEqual({"documents", "refused", "seconds", "documents_per_second", "mb_per_second", "input_bytes", "text_bytes",
                              "segments", "index_documents", "index_deleted", "index_bytes", "components", "commit", "flushes",
                              "peak_rss_bytes", "interrupted", "error", "outcome", "inferred_schema"}, set(report))
        self.assertEqual(report["index_bytes"], sum(report["components"].values()))
        on_disk = sum(f.stat().st_size for f in self.index.iterdir() if f.name != "write.lock")
        self.assertEqual(on_disk, report["index_bytes"])


class Failures(command.CommandTest):
    def test_a_corrupt_index_exits_with_2(self):
        source = self.write("d.jsonl", lines({"id": "1"}))
        self.build("--schema", self.schema(ID), source)
        commit = next(self.index.glob("segments_*"))
        data = bytearray(commit.read_bytes())
        data[len(data) // 2] ^= 1
        commit.write_bytes(bytes(data))
        _, err = self.run_command("index", "--out", self.index, "--schema", self.schema(ID), "--append", source, code=2)
        self.assertIn(commit.name, err)
        self.run_command("lookup", "--index", self.index, "--field", "id", "1", code=2)

    def test_a_full_disk_exits_with_3_and_keeps_the_last_commit(self):
        schema = self.schema({**ID, "store": True}, {**BODY, "store": True})
        self.build("--schema", schema, self.write("d.jsonl", lines({"id": "old"})))
        source = self.write("big.jsonl", lines(*({"id": str(i), "body": os.urandom(2000).hex()} for i in range(500))))

        def limit_file_size():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        done = subprocess.run([command.POSTERN, "index", "--out", self.index, "--schema", schema, "--append", "--quiet", source],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit_file_size)
        err = done.stderr.decode()
        self.assertEqual(3, done.returncode, err)
        self.assertIn("as its last commit left it", err)
        self.assertEqual([1, 0], [self.count("id", "old"), self.count("id", "1")])

    def test_a_second_writer_is_refused(self):
        schema = self.schema(ID)
        first = subprocess.Popen([command.POSTERN, "index", "--out", self.index, "--schema", schema, "--quiet", "-"],
                                 stdin=subprocess.PIPE)
        self.wait_for("write.lock")
        inode = (self.index / "write.lock").stat().st_ino
        while f":{inode} " not in pathlib.Path("/proc/locks").read_text():  # it makes the file, then locks it
            time.sleep(0.01)
        _, err = self.run_command("index", "--out", self.index, "--schema", schema, "-", code=1)
        self.assertIn("write.lock", err)
        first.communicate(lines({"id": "1"}).encode())
        self.assertEqual(0, first.returncode)
        self.assertEqual(1, self.count("id", "1"))

    def wait_for(self, pattern):
        while not list(self.index.glob(pattern)):
            time.sleep(0.01)

    def test_an_interrupt_commits_and_says_so(self):
        run = subprocess.Popen([command.POSTERN, "index", "--out", self.index, "--schema", self.schema(ID), "--json", "-"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        run.stdin.write(lines({"id": "a"}, {"id": "b"}, {"op": "commit"}, {"id": "c"}).encode() + b'{"id": "half')
        run.stdin.flush()
        self.wait_for("segments_1")  # so it is now reading on, or waiting for more
        run.send_signal(signal.SIGINT)
        out, err = run.stdout.read().decode(), run.stderr.read().decode()
        run.stdin.close()
        run.stdout.close()
        run.stderr.close()
        self.assertEqual(130, run.wait(), err)
        report = json.loads(out)
        self.assertTrue(report["interrupted"])
        self.assertIn(report["documents"], (2, 3))
        self.assertEqual(report["documents"], report["index_documents"])
        self.assertIn(f"{report['documents']} documents committed", err)
        self.assertEqual([1, 1], [self.count("id", "a"), self.count("id", "b")])

    def test_an_interrupt_before_any_document_leaves_no_index(self):
        run = subprocess.Popen([command.POSTERN, "index", "--out", self.index, "--schema", self.schema(ID), "-"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for("write.lock")
        run.send_signal(signal.SIGTERM)
        err = run.stderr.read().decode()
        for stream in (run.stdin, run.stdout, run.stderr):
            stream.close()
        self.assertEqual(130, run.wait(), err)
        self.assertIn("nothing was indexed", err)
        self.assertFalse(list(self.index.glob("segments*")))


class Terminal(command.CommandTest):
    def test_progress_is_one_line_that_is_rewritten(self):
        # Larger than the progress reporter's shortest pause on any machine: it ends when the terminal has seen two updates.
        parent, child = pty.openpty()
        run = subprocess.Popen([command.POSTERN, "index", "--out", self.index, "--schema", self.schema(ID), "-"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=child)
        os.close(child)
        fcntl.fcntl(parent, fcntl.F_SETFL, os.O_NONBLOCK)
        seen = b""
        batch = lines(*({"id": str(i)} for i in range(1000))).encode()
        while seen.count(b"\r\x1b[K") < 2:
            run.stdin.write(batch)
            run.stdin.flush()
            try:
                seen += os.read(parent, 65536)
            except BlockingIOError:
                pass
        run.stdin.close()
        run.stdout.read()
        run.stdout.close()
        self.assertEqual(0, run.wait())
        os.close(parent)
        shown = seen.split(b"\r\x1b[K")[1].decode()
        self.assertTrue(re.match(r"^[\d,]+ documents  [\d,]+ documents/s  [\d.]+ MB/s", shown), shown)


if __name__ == "__main__":
    command.main()
