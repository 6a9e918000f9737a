"""Python packages that the benchmarks need and Debian's Python does not bring: kept in a virtual environment in the cache."""
import importlib.util
import os
import subprocess
import sys

from common import CACHE

VERSIONS = {"numpy": "numpy==2.4.6", "matplotlib": "matplotlib==3.11.2", "wordfreq": "wordfreq==3.1.1"}


def need(*names):
    """Goes on if this Python has the packages; else installs them into the environment and runs the program again with its Python."""
    if all(importlib.util.find_spec(n) for n in names):
        return
    python = CACHE / "venv/bin/python"
    if sys.executable == str(python):
        done = subprocess.run([python, "-m", "pip", "install", "-q", *(VERSIONS[n] for n in names)])
        if done.returncode != 0:
            sys.exit("bench: pip could not install " + ", ".join(names))
        importlib.invalidate_caches()
    elif not python.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", CACHE / "venv"], check=True)
    os.execv(python, [str(python), *sys.argv])
