#!/usr/bin/env python3
"""test_consumer.py BUILD_DIR: installs postern into a temporary prefix, builds a small project against it and runs it."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE.parent.parent / "examples" / "index_two_documents.cc"


def run(*command):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(str(c) for c in command)}\n{done.stdout}\nexit code {done.returncode}")


def main(build):
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        run("cmake", "--install", build, "--prefix", work / "prefix")
        cache = (build / "CMakeCache.txt").read_text().splitlines()
        same = [f"-D{name}={line.split('=', 1)[1]}" for name in ("CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS") for line in cache
                if line.startswith(name + ":")]
        run("cmake", "-G", "Ninja", "-S", HERE, "-B", work / "build", f"-DCMAKE_PREFIX_PATH={work / 'prefix'}",
            f"-DEXAMPLE={EXAMPLE}", *same)
        run("cmake", "--build", work / "build")
        run(work / "build" / "consumer", work / "index")
        names = sorted(p.name for p in (work / "index").iterdir())
        assert "segments_1" in names and "_0.si" in names, names
    print("the installed library builds an index of two documents")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
