#!/usr/bin/env python3
"""How much faster several threads index: postern with one thread and with each other number in turns, on the same documents.

A ratio is the median of the rounds' ratios. Documents are in memory before the time runs; it ends behind commit and close.

  bench/e2e/threads.py                          1 thread and one for each processor, 9 rounds: about 2 minutes
  bench/e2e/threads.py --threads 2,4 --sets columns --bodies 1
"""
import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import common
import engines


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--corpus", default="realtext")
    p.add_argument("--threads", default=str(os.cpu_count()))
    p.add_argument("--sets", default="base", help="base, columns, points, doc_values, separated by commas (base)")
    p.add_argument("--bodies", type=int, default=1)
    p.add_argument("--docs", type=int, default=300_000)
    p.add_argument("--ram-mb", type=float, default=2048)
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("--out", help="where the indexes are written (a temporary folder)")
    p.add_argument("--build-dir", default=engines.ROOT / "build")
    return p.parse_args()


def main():
    a = parse()
    counts = [int(t) for t in a.threads.split(",")]
    binary = engines.build_index_bench(a.build_dir)
    out = engines.scratch_directory(a.out)
    print(f"{common.machine()}; commit {common.commit()}; {a.corpus}, {a.docs:,} documents, {a.bodies} x body, {a.ram_mb:g} MB; load {os.getloadavg()[0]:.1f}")
    try:
        postern = engines.postern_engine(binary, engines.first_lines(engines.corpus_path(a.corpus), a.docs, out), out)
        for fields in a.sets.split(","):
            run = lambda threads: postern.run(a.docs, a.ram_mb, a.bodies, fields, threads)
            for threads in [1, *counts]:
                run(threads)  # pools are filled, files cached
            ratios = {t: [] for t in counts}
            for i in range(a.rounds):
                order = [1, *counts] if i % 2 == 0 else [*counts, 1]
                seconds = {t: run(t)["seconds"] for t in order}
                for t in counts:
                    ratios[t].append(seconds[1] / seconds[t])
                print("  " + ", ".join(f"{t}: {a.docs / seconds[t]:,.0f} docs/s" for t in [1, *counts]), file=sys.stderr, flush=True)
            for t in counts:
                s = common.spread(ratios[t])
                print(f"{fields}: {t} threads are {s['median']:.2f} times as fast as one ({s['lowest']:.2f}-{s['highest']:.2f}, {s['count']} rounds)")
        postern.close()
    finally:
        engines.remove(out)


if __name__ == "__main__":
    main()
