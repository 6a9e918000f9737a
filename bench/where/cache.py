#!/usr/bin/env python3
"""The cause: cache misses per add in the comparison of terms, the writing of slices and the sort, counted by a simulated cache.

callgrind simulates a 32 KB level-1 data cache and a last level of several sizes, while cache_bench adds the same tokens in every layout:
in a tight loop, and with the rest of indexing (other fields, cutting the next text) in between, which is simulated but not counted.
Counted misses do not depend on what else the machine does. Software prefetches are not simulated: a line counts as missed where it is
used. Instructions of the library (memcmp, memcpy) belong to the stage of their caller.

  bench/where/cache.py            5 layouts x 3 sizes x 3 inputs: about 40 minutes, two at a time
  bench/where/cache.py --short    2 layouts x 2 sizes x 2 inputs of 1,000 documents: about 2 minutes
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import common
import engines
import symbols

LAYOUTS = ("lucene_shared", "lucene_separate", "shared", "separate", "inline")
L1 = "32768,8,64"


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--layouts", default=",".join(LAYOUTS))
    p.add_argument("--megabytes", default="1,8,32", help="sizes of the last level")
    p.add_argument("--inputs", default="seed,tight,fields", help="seed: the proposal's tokens of skew 3; tight, fields: a corpus")
    p.add_argument("--corpus", default="synth")
    p.add_argument("--docs", type=int, default=20_000)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--short", action="store_true")
    p.add_argument("--table", action="store_true", help="measure nothing")
    p.add_argument("--fresh", action="store_true", help="forget earlier results")
    p.add_argument("--results", default=common.RESULTS)
    a = p.parse_args()
    if a.short:
        a.layouts, a.megabytes, a.inputs, a.docs = "lucene_shared,lucene_separate", "1,8", "tight,fields", 1_000
    a.name = "cache_short" if a.short else "cache"
    return a


def costs_of(path):
    """(function, address) -> counted events, of a callgrind file with instruction addresses, uncompressed."""
    events, costs, function, skip = [], collections.defaultdict(collections.Counter), "", False
    for line in open(path):
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("fn="):
            function = line[3:].strip()
        elif line.startswith("calls="):
            skip = True  # the next line has the callee's costs, which it has itself
        elif line.startswith("0x"):
            if skip:
                skip = False
                continue
            words = line.split()
            # Trailing zeros are left out.
            for event, number in zip(events, words[2:]):
                costs[function, int(words[0], 16)][event] += int(number)
    return costs


def stage_of(function, address, table):
    frames = table.frames(address)
    if frames:
        return symbols.stage_of(frames)
    # The library: the function's callers are in its name, innermost first.
    callers = function.split("'")[1:]
    if re.search(r"cmp|equal", function.split("'")[0]) and any(re.search(r"add|find|is<", c) for c in callers):
        return "look-up"
    if re.match(r"_*mem(cpy|move|set)|_*int_|malloc|free|operator (new|delete)|unlink_chunk", function):
        return "new terms"  # text stored, arrays grown, blocks begun
    return symbols.stage_of([": " + c for c in callers])


def simulate(a, binary, table, layout, kind, megabytes, corpus):
    source, docs = ("seed:3", a.docs // 10) if kind == "seed" else (corpus, a.docs)
    with tempfile.NamedTemporaryFile(suffix=".callgrind") as out:
        done = subprocess.run(["valgrind", "-q", "--tool=callgrind", "--cache-sim=yes", f"--D1={L1}", f"--LL={megabytes << 20},16,64", "--dump-instr=yes",
                               "--compress-pos=no", "--compress-strings=no", "--separate-callers=2", "--collect-atstart=no",
                               "--toggle-collect=*measured_*", f"--callgrind-out-file={out.name}",
                               str(binary), layout, "fields" if kind == "fields" else "tight", str(source), str(docs)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"bench: callgrind failed:\n{done.stderr[-3000:]}")
        costs = costs_of(out.name)
    counted = json.loads(done.stdout)
    table.load(address for _, address in costs)
    stages, lost = collections.defaultdict(collections.Counter), collections.Counter()
    for (function, address), events in costs.items():
        stage = stage_of(function, address, table)
        stages[stage].update(events)
        if stage == symbols.UNMAPPED:
            lost[(table.frames(address) or [function])[0]] += events["Ir"]
    return {"adds": counted["adds"], "terms": counted["terms"], "memory_bytes": counted["bytes"],
            "unmapped": dict(lost.most_common(8)), "stages": {s: {e: n for e, n in c.items()} for s, c in stages.items()}}


def per_add(values, stage, names):
    """Misses (reads and writes together) per thousand adds."""
    events = values["stages"].get(stage, {})
    return 1000 * sum(events.get(n, 0) for n in names) / values["adds"]


def table_of(found):
    if not found:
        sys.exit("cache: no results yet")
    shown = [("look-up", "term compare"), ("seen-term path", "slice write"), ("histogram", "histogram"), ("sort", "sort, rest"), ("new terms", "new terms")]
    print("misses of the last level per 1,000 adds (in brackets: of level 1)")
    print(f"{'input':8}{'last level':>11} {'layout':17}" + "".join(f"{label:>22}" for _, label in shown) + f"{'all':>22}{'instr./add':>12}")
    for r in sorted(found, key=lambda r: (r["key"]["input"], r["key"]["megabytes"], LAYOUTS.index(r["key"]["layout"]))):
        v, cells = r["values"], ""
        for stage, _ in [*shown, (None, "all")]:
            stages = [stage] if stage else list(v["stages"])
            last = sum(per_add(v, s, ("DLmr", "DLmw")) for s in stages)
            first = sum(per_add(v, s, ("D1mr", "D1mw")) for s in stages)
            cells += f"{last:12,.1f} ({first:,.0f})".rjust(22)
        instructions = sum(e.get("Ir", 0) for e in v["stages"].values()) / v["adds"]
        print(f"{r['key']['input']:8}{r['key']['megabytes']:8} MB {r['key']['layout']:17}{cells}{instructions:12.0f}")
    lost = [r["values"]["stages"].get(symbols.UNMAPPED, {}).get("Ir", 0) / sum(e["Ir"] for e in r["values"]["stages"].values()) for r in found]
    print(f"instructions that belong to no stage: {100 * max(lost):.2f} % at most; of "
          + ", ".join(sorted({f for r in found for f in r["values"]["unmapped"]})))


def main():
    a = parse()
    if not a.table:
        binary = symbols.build("cache_bench")
        corpus, table, store = engines.corpus_path(a.corpus), symbols.Symbols(binary), common.Store(a.results, a.name, a.fresh)
        keys = [{"layout": l, "input": i, "megabytes": int(m), "corpus": a.corpus, "docs": a.docs}
                for i in a.inputs.split(",") for m in a.megabytes.split(",") for l in a.layouts.split(",")]
        todo = [k for k in keys if not store.has(k)]
        progress = common.Progress(len(todo))
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            running = {pool.submit(simulate, a, binary, table, k["layout"], k["input"], k["megabytes"], corpus): k for k in todo}
            for future in concurrent.futures.as_completed(running):
                store.add(running[future], future.result())
                progress.say(str(running[future]))
    table_of(common.latest(a.results, a.name))


if __name__ == "__main__":
    main()
