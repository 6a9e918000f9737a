#!/usr/bin/env python3
"""Checks that the peak memory of one indexing thread stays under its budget + 25 % + 64 MB.

The input is streamed from the file, again and again until the budget has been used up more than once, so the process
holds little but the buffer. Exit code 1 if a budget is exceeded, or was not reached.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import common
import engines


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--corpus", default="realtext")
    p.add_argument("--docs", type=int, help="documents per run (1,600 per MB of the budget)")
    p.add_argument("--bodies", type=int, default=2)
    p.add_argument("--budgets", default="64,256,1024,2048", help="MB, separated by commas")
    p.add_argument("--pools", default="inline", choices=["shared", "separate", "inline"])
    p.add_argument("--lucene", action="store_true", help="also show what Lucene's process takes, default heap; kept in the results")
    p.add_argument("--results", default=common.RESULTS)
    p.add_argument("--out", help="where the indexes are written (a temporary folder)")
    p.add_argument("--build-dir", default=engines.ROOT / "build")
    a = p.parse_args()
    binary = engines.build_index_bench(a.build_dir)
    corpus = engines.corpus_path(a.corpus)
    failed = False
    store = common.Store(a.results, "rss") if a.lucene else None
    for budget in map(float, a.budgets.split(",")):
        out = engines.scratch_directory(a.out)
        runs = {}
        try:
            for name in ["postern"] + (["lucene"] if a.lucene else []):
                # A process of its own for each budget: the peak is that of this budget alone.
                engine = (engines.postern_engine(binary, corpus, out, a.pools, stream=True) if name == "postern"
                          else engines.lucene_engine(corpus, out, stream=True))
                result = engine.run(a.docs or int(budget * 1600), budget, a.bodies)
                runs[name] = (engine.peak_rss_mb(), result["segments"])
                engine.close()
        finally:
            engines.remove(out)
        if store:
            store.add({"ram_mb": budget, "corpus": a.corpus, "bodies": a.bodies, "pools": a.pools},
                      {name: {"peak_mb": mb, "segments": n} for name, (mb, n) in runs.items()})
        limit = budget * 1.25 + 64
        peak, segments = runs["postern"]
        verdict = "EXCEEDED" if peak > limit else "budget NOT REACHED" if segments < 2 else "ok"
        failed |= verdict != "ok"
        print(f"budget {budget:5g} MB: peak {peak:6.0f} MB, limit {limit:6.0f} MB, {segments} segments  {verdict}"
              + (f"   (lucene {runs['lucene'][0]:.0f} MB, {runs['lucene'][1]} segments)" if a.lucene else ""), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
