#!/usr/bin/env python3
"""The pool layouts of postern end to end: shared, separate and inline take turns on the same line documents.

Body twice, once, off, and with doc values and points; 1 and 2 threads (8 where there are cores); mean, median, worst and best docs/s
and GB/h, and ratios to `shared` as medians of the rounds. What is in the results already is not run again.

  bench/e2e/layouts.py            20 rounds: about 55 minutes
  bench/e2e/layouts.py --short    10 rounds of body twice, 1 thread, 40,000 documents: about 2 minutes
"""
import argparse
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import common
import engines

LAYOUTS = ("shared", "separate", "inline")
# Name: fields, bodies, documents.
CASES = {"body twice": ("base", 2, 100_000), "body once": ("base", 1, 100_000), "body off": ("base", 0, 400_000), "columns": ("columns", 2, 100_000)}


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--corpora", default="realtext,synth")
    p.add_argument("--cases", default=",".join(CASES))
    p.add_argument("--threads", default="1,2" + (",8" if (os.cpu_count() or 1) >= 8 else ""))
    p.add_argument("--rounds", type=int, default=20)
    p.add_argument("--ram-mb", type=int, default=2048)
    p.add_argument("--docs", type=float, default=1, help="a factor for the number of documents (1)")
    p.add_argument("--short", action="store_true")
    p.add_argument("--table", action="store_true", help="measure nothing")
    p.add_argument("--fresh", action="store_true", help="forget earlier results")
    p.add_argument("--out", help="where the indexes are written (a temporary folder)")
    p.add_argument("--results", default=common.RESULTS)
    p.add_argument("--build-dir", default=common.ROOT / "build")
    a = p.parse_args()
    if a.short:
        a.corpora, a.cases, a.threads, a.rounds, a.docs = "realtext", "body twice", "1", 10, 0.4
    a.name = "layouts_short" if a.short else "layouts"
    return a


def utf16_of(path, docs):
    """UTF-16 units of titles and bodies of the first lines, which come again when there are fewer."""
    units = []
    with open(path, encoding="utf-8") as lines:
        for _, line in zip(range(docs), lines):
            title, _, body = line.rstrip("\n").split("\t", 2)
            units.append(len((title + body).encode("utf-16-le")) // 2)
    return sum(units) * (docs // len(units)) + sum(units[:docs % len(units)])


def measure(a):
    binary = engines.build_index_bench(a.build_dir)
    store = common.Store(a.results, a.name, a.fresh)
    keys = [{"corpus": c, "case": case, "threads": int(t), "ram_mb": a.ram_mb, "docs": round(CASES[case][2] * a.docs), "round": r}
            for c in a.corpora.split(",") for r in range(a.rounds) for case in a.cases.split(",") for t in a.threads.split(",")]
    todo = [k for k in keys if not store.has(k)]
    progress = common.Progress(len(todo))
    for corpus in dict.fromkeys(k["corpus"] for k in todo):
        out = engines.scratch_directory(a.out)
        # With the body off, the documents come again.
        path = engines.first_lines(engines.corpus_path(corpus), round(100_000 * a.docs), out)
        running = {layout: engines.postern_engine(binary, path, out, layout, name=layout) for layout in LAYOUTS}
        chars = {}
        try:
            first = {}
            for key in (k for k in todo if k["corpus"] == corpus):
                fields, bodies, _ = CASES[key["case"]]
                order = random.Random(str(key)).sample(LAYOUTS, len(LAYOUTS))
                if not first:  # fills the pools of every process
                    for layout in order:
                        first[layout] = running[layout].run(key["docs"], a.ram_mb, bodies, fields, key["threads"])
                values = {layout: running[layout].run(key["docs"], a.ram_mb, bodies, fields, key["threads"]) for layout in order}
                if key["docs"] not in chars:
                    chars[key["docs"]] = utf16_of(path, key["docs"])
                store.add(key, {layout: v | {"chars": chars[key["docs"]]} for layout, v in values.items()})
                progress.say(f"round {key['round'] + 1}, {corpus}, {key['case']}, {key['threads']} threads: "
                             + ", ".join(f"{n} {values[n]['docs'] / values[n]['seconds']:,.0f} docs/s" for n in LAYOUTS))
        finally:
            for engine in running.values():
                engine.close()
            engines.remove(out)


def table(found):
    if not found:
        sys.exit("layouts: no results yet")
    print(f"{found[-1]['machine']}; commit {found[-1]['commit']}; load {max(r['load'] for r in found)} at most")
    print(f"{'corpus':10}{'case':12}{'threads':>8}{'layout':>10}{'mean':>11}{'median':>11}{'worst':>11}{'best':>11}{'GB/h':>8}  times shared, by CPU time")
    for row in dict.fromkeys(tuple(r["key"][k] for k in ("corpus", "case", "threads")) for r in found):
        of = [r["values"] for r in found if tuple(r["key"][k] for k in ("corpus", "case", "threads")) == row]
        for layout in LAYOUTS:
            rate = common.spread(v[layout]["docs"] / v[layout]["seconds"] for v in of)
            hourly = common.spread(v[layout]["chars"] / 2**30 / v[layout]["seconds"] * 3600 for v in of)
            time = common.spread(v["shared"]["seconds"] / v[layout]["seconds"] for v in of)
            cpu = common.spread(v["shared"]["cpu_seconds"] / v[layout]["cpu_seconds"] for v in of)
            print(f"{row[0]:10}{row[1]:12}{row[2]:8}{layout:>10}" + "".join(f"{rate[k]:11,.0f}" for k in ("mean", "median", "lowest", "highest"))
                  + f"{hourly['median']:8.1f}  {time['median']:.3f}, {cpu['median']:.3f} ({len(of)} rounds)")


def main():
    a = parse()
    if not a.table:
        measure(a)
    table(common.latest(a.results, a.name))


if __name__ == "__main__":
    main()
