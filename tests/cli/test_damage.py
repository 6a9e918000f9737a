#!/usr/bin/env python3
"""test_damage.py BUILD_DIR: what every subcommand says of an index with a damaged file: an error that names the file, never a crash.

`postern check` must see everything. The others see what they read; what they always read is ALWAYS_READ.
"""
import json
import pathlib
import re
import shutil

import command

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
# Checksums of these are verified whenever an index is opened.
ALWAYS_READ = re.compile(r"segments_|.*\.(si|cfe)$")


# Of these each of the last 20 bytes is changed: the commit, what it alone leads to, and compound files.
CLOSELY = re.compile(r"segments_|.*\.(si|cfe|cfs|liv)$|_\w+_\w+\.fnm$")


def damages(file, data):
    """(what, bytes): cut short, and single bytes changed."""
    size = len(data)
    tail = range(size - 20, size) if CLOSELY.match(file) else (size - 20, size - 8, size - 1)
    for length in sorted({0, 1, size // 2, size - 17, size - 1}):
        yield f"cut to {length}", data[:length]
    for place in sorted({0, 5, size // 4, size // 2, *tail}):
        yield f"changed at {place}", data[:place] + bytes([data[place] ^ 0x20]) + data[place + 1:]


class Damage(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.new_schema = self.schema({"name": "a new field", "type": "keyword"})
        self.new_document = self.write("new.jsonl", '{"a new field": "x"}\n')

    def words(self, what):
        return {"check": ["check", "--json", self.index],
                "info": ["info", "--json", self.index],
                "lookup": ["lookup", "--index", self.index, "--field", "id", "--json", "c0001"],
                "append": ["index", "--append", "--out", self.index, "--schema", self.new_schema, "--quiet", self.new_document]}[what]

    def attempt(self, what):
        """(exit code, all that was said)."""
        done = command.subprocess.run([command.POSTERN, *map(str, self.words(what))], stdin=command.subprocess.DEVNULL,
                                      stdout=command.subprocess.PIPE, stderr=command.subprocess.PIPE)
        return done.returncode, (done.stdout + done.stderr).decode()

    def each(self, name, pattern, commands):
        """Damages one file of the golden index after the other; returns how many verdicts there were."""
        source = GOLDEN / name / "index"
        files = {p.name: p.read_bytes() for p in source.iterdir() if re.search(pattern, p.name)}
        self.assertTrue(files, pattern)
        verdicts = 0
        for file, data in sorted(files.items()):
            for what, damaged in damages(file, data):
                for subcommand in commands:
                    if subcommand == "append" or not self.index.exists():
                        shutil.rmtree(self.index, ignore_errors=True)
                        shutil.copytree(source, self.index)
                    (self.index / file).write_bytes(damaged)
                    code, said = self.attempt(subcommand)
                    self.judge(f"{subcommand}: {file} {what}", subcommand, file, code, said)
                    verdicts += 1
            shutil.rmtree(self.index)
        return verdicts

    def judge(self, case, subcommand, file, code, said):
        self.assertIn(code, (0, 2), f"{case}: {code}: {said}")
        if subcommand == "check" or ALWAYS_READ.match(file):
            self.assertEqual(2, code, f"{case}: {said}")
        if code == 2:
            self.assertIn(file, said, case)
            if subcommand == "check":
                self.assertFalse(json.loads(said)["clean"], case)

    def test_every_kind_of_file_and_later_generations(self):
        # Live docs, field infos and doc values of later generations are among them.
        names = {p.name for p in (GOLDEN / "updates" / "index").iterdir()}
        for kind in (r"_\d+_\w+\.liv$", r"_\d+_\w\.fnm$", r"_\d+_\w_Lucene90_0\.dvd$"):
            self.assertTrue(any(re.search(kind, n) for n in names), kind)
        self.assertGreater(self.each("updates", r"^(segments|_1[._])", ("check", "info", "lookup", "append")), 500)

    def test_compound_files(self):
        self.each("mixed_compound", r"^(segments|_1\.)", ("check", "info", "lookup", "append"))

    def test_vectors_and_points(self):
        self.each("knn", "HnswVectors", ("check", "info"))
        self.each("points", r"\.kd.$", ("check", "info"))


if __name__ == "__main__":
    command.main()
