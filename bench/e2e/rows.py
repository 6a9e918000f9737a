#!/usr/bin/env python3
"""The table of speed: postern beside warm Lucene 10.4 and tantivy on the same documents, fields, RAM buffer and threads.

Every round runs every row on every engine, one right after the other, the engine that begins changing from round to round. A ratio
is the median of the rounds' ratios. The time runs from opening the writer to the end of commit and close; documents are in memory before.
The JVM has 6 GB of heap, MMapDirectory, no merges and, unless the row says otherwise, 2 MB pages, as postern asks for them, too.
Rows and rounds that are in the results already are not run again: an interrupted run continues where it stopped.

  bench/e2e/rows.py             all rows, 5 rounds: about 45 minutes
  bench/e2e/rows.py --short     40,000 documents, 2 rounds, no tantivy: about 6 minutes
  bench/e2e/rows.py --table     prints the table of what is there
"""
import argparse
import ctypes
import dataclasses
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import common
import engines


@dataclasses.dataclass
class Row:
    name: str
    corpus: str
    fields: str = "base"
    bodies: int = 1
    threads: int = 1
    ram_mb: int = 2048
    docs: int = 150_000
    engines: tuple = ("postern", "lucene", "tantivy")


BOTH = ("postern", "lucene")
ROWS = [
    Row("real, body once", "realtext"),
    Row("real, body twice", "realtext", bodies=2, engines=BOTH),
    Row("real, body once, 2 threads", "realtext", threads=2),
    Row("real, body once, 256 MB", "realtext", ram_mb=256, engines=BOTH),
    Row("real, body once, 4 KB pages", "realtext", engines=("postern_4k", "lucene_4k")),
    Row("real, with columns", "realtext", fields="columns"),
    Row("real, with columns, 2 threads", "realtext", fields="columns", threads=2, engines=BOTH),
    Row("real, body off", "realtext", bodies=0, docs=1_000_000),
    Row("synth, body once", "synth"),
    Row("synth, body twice", "synth", bodies=2),
    Row("synth, body once, 2 threads", "synth", threads=2),
    Row("synth, body twice, 2 threads", "synth", bodies=2, threads=2, engines=BOTH),
    Row("synth, body once, 256 MB", "synth", ram_mb=256, engines=BOTH),
    Row("synth, flush of 300,000 documents", "synth", docs=300_000, engines=BOTH),
    Row("europarl, body once", "europarl"),
]


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--warmup", type=int, default=1, help="unmeasured rounds of all rows of a corpus (1)")
    p.add_argument("--rows", default="", help="only rows whose name contains one of these words, separated by commas")
    p.add_argument("--docs", type=float, default=1, help="a factor for the number of documents (1)")
    p.add_argument("--no-tantivy", action="store_true")
    p.add_argument("--short", action="store_true")
    p.add_argument("--table", action="store_true", help="measure nothing")
    p.add_argument("--heap", default="6g")
    p.add_argument("--out", help="where the indexes are written (a temporary folder)")
    p.add_argument("--fresh", action="store_true", help="forget earlier results")
    p.add_argument("--results", default=common.RESULTS)
    p.add_argument("--build-dir", default=common.ROOT / "build")
    a = p.parse_args()
    a.name = "rows_short" if a.short else "rows"
    if a.short:
        a.rounds, a.docs, a.no_tantivy = 2, 0.27, True
    if not a.no_tantivy and not shutil.which("cargo"):
        print("rows: no cargo, so tantivy is left out", file=sys.stderr)
        a.no_tantivy = True
    words = [w for w in a.rows.split(",") if w]
    a.rows = [r for r in ROWS if not words or any(w in r.name for w in words)]
    for row in a.rows:
        row.docs = round(row.docs * a.docs)
        row.engines = tuple(e for e in row.engines if e != "tantivy" or not a.no_tantivy)
    return a


def without_huge_pages():
    """In the child: no 2 MB pages, whatever the program asks for (prctl PR_SET_THP_DISABLE)."""
    ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)


def start(name, a, corpus, out):
    if name == "tantivy":
        return engines.tantivy_engine(corpus, out)
    if name == "postern":
        return engines.postern_engine(a.binary, corpus, out)
    if name == "lucene":
        return engines.lucene_engine(corpus, out, heap=a.heap, options="-XX:+UseTransparentHugePages")
    if name == "postern_4k":
        return engines.postern_engine(a.binary, corpus, out, name=name, preexec=without_huge_pages)
    return engines.lucene_engine(corpus, out, heap=a.heap, name=name, preexec=without_huge_pages)


def run_corpus(a, corpus, keys, rows, store, progress):
    """Measures the (row, round) pairs of one corpus; each engine is started once."""
    out = engines.scratch_directory(a.out)
    # With the body off, the documents come again.
    most = max([rows[key["row"]].docs for key in keys if rows[key["row"]].bodies], default=100_000)
    path = engines.first_lines(engines.corpus_path(corpus), most, out)
    wanted = dict.fromkeys(e for key in keys for e in rows[key["row"]].engines)
    running = {}
    try:
        for name in wanted:
            running[name] = start(name, a, path, out)

        def run(row, which):
            # The first of equal rounds is not always the same engine.
            order = row.engines if which % 2 == 0 else row.engines[::-1]
            return {n: running[n].run(row.docs, row.ram_mb, row.bodies, row.fields, row.threads) for n in order}

        for which in range(a.warmup):
            for name in dict.fromkeys(key["row"] for key in keys):
                run(rows[name], which)
                print(f"warm-up of {name!r}", file=sys.stderr, flush=True)
        for key in keys:
            values = run(rows[key["row"]], key["round"])
            store.add(key, values)
            progress.say(f"round {key['round'] + 1}, {key['row']}: "
                         + ", ".join(f"{n} {v['docs'] / v['seconds']:,.0f} docs/s" for n, v in values.items()))
    finally:
        for engine in running.values():
            engine.close()
        engines.remove(out)


def measure(a):
    a.binary = engines.build_index_bench(a.build_dir)
    store = common.Store(a.results, a.name, a.fresh)
    rows = {r.name: r for r in a.rows}
    todo = {}
    for row in a.rows:
        for which in range(a.rounds):
            key = {"row": row.name, "round": which, "docs": row.docs}
            if not store.has(key):
                todo.setdefault(row.corpus, []).append(key)
    progress = common.Progress(sum(map(len, todo.values())))
    for corpus, keys in todo.items():
        run_corpus(a, corpus, sorted(keys, key=lambda k: k["round"]), rows, store, progress)


def table(found):
    if not found:
        sys.exit("rows: no results yet")
    print(f"{found[-1]['machine']}; commit {found[-1]['commit']}; load {max(r['load'] for r in found)} at most")
    for name in dict.fromkeys(r["key"]["row"] for r in found):
        of = [r["values"] for r in found if r["key"]["row"] == name]
        print(f"{name} ({of[0][next(iter(of[0]))]['docs']:,} documents, {len(of)} rounds)")
        ours = next(e for e in of[0] if e.startswith("postern"))
        for engine in of[0]:
            rate = common.spread(v[engine]["docs"] / v[engine]["seconds"] for v in of)
            line = f"   {engine:12}{rate['median']:10,.0f} docs/s ({rate['lowest']:,.0f} to {rate['highest']:,.0f})"
            if engine != ours:
                ratio = common.spread(v[engine]["seconds"] / v[ours]["seconds"] for v in of)
                line += f"   postern {ratio['median']:.2f} times as fast ({ratio['lowest']:.2f} to {ratio['highest']:.2f})"
            print(line)


def main():
    a = parse()
    if not a.table:
        measure(a)
    table(common.latest(a.results, a.name))


if __name__ == "__main__":
    main()
