"""The two sides of the end-to-end benchmark as processes that index on command."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def build_index_bench(build_dir, target="index_bench"):
    """Builds the postern side (Release), or another program of this folder, and returns its path."""
    configure = ["cmake", "-S", ROOT, "-B", build_dir, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DPOSTERN_BENCH=ON"]
    for command in (configure, ["cmake", "--build", build_dir, "--target", target]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(map(str, command))} failed:\n{done.stdout}")
    return pathlib.Path(build_dir) / target


def corpus_path(name):
    """The path of a corpus of bench/corpora/make.py, made when missing, or of the caller's own line documents."""
    if os.path.exists(name):
        return pathlib.Path(name)
    done = subprocess.run([sys.executable, ROOT / "bench/corpora/make.py", name], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(1)
    return pathlib.Path(done.stdout.strip())


def first_lines(path, docs, folder):
    """A file with the first lines of a corpus, so that engines hold no more of it than they need."""
    first = pathlib.Path(folder) / "documents.txt"
    with open(first, "wb") as out:
        subprocess.run(["head", "-n", str(docs), path], stdout=out, check=True)
    return first


class Engine:
    """One process that holds (or streams) the documents and answers `run` commands."""

    def __init__(self, name, command, out, preexec=None):
        self.name, self.out = name, out
        self.process = subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=preexec,
                                        stderr=subprocess.DEVNULL if name.startswith("lucene") else None, text=True)
        self.documents = self._answer()["ready"]  # -1 when streaming

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"bench: {self.name} ended early (exit code {self.process.wait()})")
        return json.loads(line)

    def run(self, docs, ram_mb, bodies, fields="base", threads=1):
        """`fields`: base, columns, points or doc_values (bench_fields.h). Documents come again when there are fewer."""
        self.process.stdin.write(f"run {docs} {ram_mb} {bodies} {fields} {threads} {self.out}\n")
        self.process.stdin.flush()
        return self._answer()

    def peak_rss_mb(self):
        """VmHWM: the most memory the process ever had resident."""
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
        return 0.0

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def postern_engine(binary, corpus, out, pools="inline", stream=False, name="postern", preexec=None):
    return Engine(name, [binary, corpus, "--pools", pools] + (["--stream"] if stream else []), out / name, preexec)


def tantivy_engine(corpus, out):
    """Builds bench/rivals/tantivy with cargo first."""
    folder = ROOT / "bench/rivals/tantivy"
    done = subprocess.run(["cargo", "build", "--release", "--locked", "-q"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: cargo could not build {folder}:\n{done.stdout}")
    return Engine("tantivy", [folder / "target/release/tantivy_bench", corpus], out / "tantivy")


def lucene_engine(corpus, out, stream=False, heap=None, options="", name="lucene", preexec=None):
    os.environ["ORACLE_JAVA_OPTS"] = (f"-Xmx{heap} " if heap else "") + options
    # The launcher replaces itself by the JVM, so the process measured is the JVM.
    return Engine(name, [ROOT / "tests/java/oracle", "line-bench", corpus] + (["--stream"] if stream else []), out / name, preexec)


def scratch_directory(parent=None):
    return pathlib.Path(tempfile.mkdtemp(prefix="postern-bench-", dir=parent))


def remove(path):
    shutil.rmtree(path, ignore_errors=True)
