#!/usr/bin/env python3
"""Where the time goes: CPU samples of indexing by stage, for each pool layout and number of threads, with flame graphs (SVG).

perf samples the CPU clock (virtual machines have no counters) 1,000 times a second of CPU time while index_bench indexes line documents.
Each sample belongs to the stage of its innermost function that has one (symbols.py); what belongs nowhere is listed, not hidden. An
interrupt may come some instructions late, so neighbouring stages share a little of each other's time.

  bench/where/profile.py            3 layouts, 1 and 2 threads, real text and synth, all columns: about 5 minutes
  bench/where/profile.py --short    inline, 1 thread, real text: about a minute
"""
import argparse
import collections
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import common
import engines
import flame
import symbols


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--corpora", default="realtext,synth")
    p.add_argument("--layouts", default="shared,separate,inline")
    p.add_argument("--threads", default="1,2")
    p.add_argument("--fields", default="columns", choices=["base", "columns"])
    p.add_argument("--bodies", type=int, default=1)
    p.add_argument("--docs", type=int, default=150_000)
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--ram-mb", type=int, default=2048)
    p.add_argument("--short", action="store_true")
    p.add_argument("--fresh", action="store_true", help="forget earlier results")
    p.add_argument("--out", help="where the indexes are written (a temporary folder)")
    p.add_argument("--results", default=common.RESULTS, type=pathlib.Path)
    a = p.parse_args()
    if a.short:
        a.corpora, a.layouts, a.threads = "realtext", "inline", "1"
    a.name = "profile_short" if a.short else "profile"
    return a


def samples_of(data):
    """Stacks of (address, function, object), innermost first."""
    script = subprocess.Popen(["perf", "script", "-i", data, "-F", "comm,ip,sym,dso"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    stack = []
    for line in script.stdout:
        match = re.match(r"\s+([0-9a-f]+) (.*) \((.*)\)$", line)
        if match:
            stack.append((int(match[1], 16), match[2], match[3]))
        elif not line.strip() and stack:
            yield stack
            stack = []


def frames_of(stack, table, binary):
    """One list of frames, innermost first: "path: function" of the program, plain names of the kernel and libraries."""
    frames = []
    for depth, (address, function, place) in enumerate(stack):
        if place.endswith(binary.name):
            # A return address belongs to the call before it.
            frames += table.frames(table.at_offset(address) - (depth > 0)) or [f"?: {function}"]
        else:
            frames.append(f"[{pathlib.Path(place.strip('[]')).name}]: {function}")
    return frames


def stage_of(frames):
    kernel = [f for f in frames if f.startswith("[kernel.kallsyms") or f.startswith("[guest.kernel") or f.startswith("[kernel")]
    return symbols.kernel_stage_of(kernel) if kernel and frames[0] == kernel[0] else symbols.stage_of(frames)


def profile(a, binary, table, corpus, layout, threads):
    out = engines.scratch_directory(a.out)
    with tempfile.NamedTemporaryFile(suffix=".perf") as data:
        engine = engines.postern_engine(binary, engines.first_lines(engines.corpus_path(corpus), a.docs, out), out, layout)
        try:
            engine.run(a.docs, a.ram_mb, a.bodies, a.fields, threads)
            perf = subprocess.Popen(["perf", "record", "-q", "-e", "cpu-clock", "-F", "999", "--call-graph", "fp", "-p", str(engine.process.pid),
                                     "-o", data.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.5)
            runs = [engine.run(a.docs, a.ram_mb, a.bodies, a.fields, threads) for _ in range(a.runs)]
            perf.send_signal(signal.SIGINT)
            perf.wait()
        finally:
            engine.close()
            engines.remove(out)
        stacks = list(samples_of(data.name))
    table.load(table.at_offset(address) - (depth > 0) for s in stacks for depth, (address, _, place) in enumerate(s) if place.endswith(binary.name))
    stages, lost, root = collections.Counter(), collections.Counter(), flame.Node()
    for stack in stacks:
        frames = frames_of(stack, table, binary)
        stage = stage_of(frames)
        stages[stage] += 1
        if stage == symbols.UNMAPPED:
            lost[frames[0]] += 1
        root.add([flame.short_name(f.split(": ", 1)[1]) for f in reversed(frames)], 1)
    cpu = sum(r["cpu_seconds"] for r in runs)
    flame.write(a.results / f"flame_{corpus}_{layout}_{threads}.svg", root, f"{corpus}, {layout}, {threads} thread(s): {len(stacks):,} samples")
    return {"samples": len(stacks), "stages": dict(stages.most_common()), "unmapped": dict(lost.most_common(15)),
            "cpu_us_per_doc": 1e6 * cpu / (a.docs * a.runs)}


def table_of(found):
    columns = [(r["key"]["corpus"], r["key"]["layout"], r["key"]["threads"]) for r in found]
    names = collections.Counter()
    for r in found:
        names.update({s: n / r["values"]["samples"] for s, n in r["values"]["stages"].items()})
    print(f"{'share of CPU samples':32}" + "".join(f"{c + ' ' + l + ' ' + str(t):>22}" for c, l, t in columns))
    for stage, _ in names.most_common():
        print(f"{stage:32}" + "".join(f"{100 * r['values']['stages'].get(stage, 0) / r['values']['samples']:20.1f} %" for r in found))
    print(f"{'samples':32}" + "".join(f"{r['values']['samples']:22,}" for r in found))
    print(f"{'CPU us per document':32}" + "".join(f"{r['values']['cpu_us_per_doc']:22.1f}" for r in found))
    for r in found[-1:]:
        print("unmapped, last column:", ", ".join(f"{f} ({n})" for f, n in r["values"]["unmapped"].items()))


def main():
    a = parse()
    binary = symbols.build("index_bench")
    store, table = common.Store(a.results, a.name, a.fresh), symbols.Symbols(binary)
    keys = [{"corpus": c, "layout": l, "threads": int(t), "fields": a.fields, "bodies": a.bodies, "docs": a.docs}
            for c in a.corpora.split(",") for t in a.threads.split(",") for l in a.layouts.split(",")]
    todo = [k for k in keys if not store.has(k)]
    progress = common.Progress(len(todo))
    for key in todo:
        values = profile(a, binary, table, key["corpus"], key["layout"], key["threads"])
        store.add(key, values)
        progress.say(f"{key['corpus']}, {key['layout']}, {key['threads']} threads: {values['samples']:,} samples")
    table_of(common.latest(a.results, a.name))


if __name__ == "__main__":
    main()
