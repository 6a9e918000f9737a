"""What the tests of the command share: running it, and reading its index back with `postern lookup`."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

POSTERN = None


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="postern_cli_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.index = self.folder / "index"

    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def schema(self, *fields, **more):
        return self.write("schema.json", json.dumps({"fields": list(fields), **more}))

    def run_command(self, *words, stdin=b"", code=0):
        """Standard output and error as text; the exit code must be `code`."""
        done = subprocess.run([POSTERN, *map(str, words)], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(code, done.returncode, f"{words}\n{out}{err}")
        return out, err

    def build(self, *words, stdin=b"", code=0):
        """`postern index --json`: its report and what it wrote to standard error."""
        out, err = self.run_command("index", "--out", self.index, "--json", *words, stdin=stdin, code=code)
        return json.loads(out), err

    def look_up(self, field, *terms, first=100):
        out, _ = self.run_command("lookup", "--index", self.index, "--field", field, "--first", first, "--json", *terms)
        return [json.loads(line) for line in out.splitlines()]

    def count(self, field, term):
        return self.look_up(field, term)[0]["documents"]


def main():
    global POSTERN
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} BUILD_DIR [unittest arguments]")
    POSTERN = pathlib.Path(sys.argv.pop(1)).resolve() / "postern"
    unittest.main(module="__main__")
