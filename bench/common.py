"""What the benchmark drivers share: results in files that survive an interruption, and the figures made of them.

A result file NAME.jsonl has one record a line: {"key": {...}, "commit": ..., "machine": ..., "load": ..., "values": {...}}.
A record that is there already, of the same commit and key, is not measured again.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "build/bench-results"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "postern-bench"


def output_of(*command):
    try:
        return subprocess.run(list(map(str, command)), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()
    except OSError:
        return ""


def commit():
    """The commit of the sources; "-dirty" if anything but documentation was changed since."""
    name = output_of("git", "describe", "--always", "--exclude", "*")
    changed = output_of("git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs")
    return (name or "unknown") + ("-dirty" if changed else "")


def machine():
    cpu = re.search(r"Model name:\s*(.*)", output_of("lscpu"))
    kilobytes = int(re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())[1])
    guest = " (virtual machine)" if "Hypervisor" in output_of("lscpu") else ""
    return f"{cpu[1] if cpu else 'unknown CPU'}{guest}, {os.cpu_count()} CPUs, {kilobytes / 2**20:.0f} GB"


class Store:
    """The records of one experiment."""

    def __init__(self, folder, name, fresh=False):
        self.path = pathlib.Path(folder) / f"{name}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            self.path.unlink(missing_ok=True)
        self.commit, self.machine = commit(), machine()
        self.done = {canonical(r["key"]) for r in records(self.path) if r["commit"] == self.commit}

    def has(self, key):
        return canonical(key) in self.done

    def add(self, key, values):
        record = {"key": key, "commit": self.commit, "machine": self.machine, "load": round(os.getloadavg()[0], 2),
                  "time": time.strftime("%Y-%m-%d %H:%M"), "values": values}
        with open(self.path, "a") as out:
            out.write(json.dumps(record) + "\n")
        self.done.add(canonical(key))


def canonical(key):
    return json.dumps(key, sort_keys=True)


def records(path):
    """All records of a file; a last line that was cut off by an interruption is left out."""
    found = []
    if pathlib.Path(path).exists():
        for line in open(path):
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError:
                pass
    return found


def latest(folder, name):
    """The records of the commit that was measured last."""
    found = records(pathlib.Path(folder) / f"{name}.jsonl")
    return [r for r in found if r["commit"] == found[-1]["commit"]]


def spread(numbers):
    n = sorted(numbers)
    return {"median": statistics.median(n), "mean": statistics.fmean(n), "lowest": n[0], "highest": n[-1], "count": len(n)}


class Progress:
    """Prints what is done and how long the rest will take."""

    def __init__(self, steps):
        self.steps, self.done, self.start = steps, 0, time.monotonic()

    def say(self, text):
        self.done += 1
        rest = (time.monotonic() - self.start) / self.done * (self.steps - self.done)
        print(f"[{self.done}/{self.steps}, {rest / 60:.0f} min left] {text}", file=sys.stderr, flush=True)
