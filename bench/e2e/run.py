#!/usr/bin/env python3
"""Indexes the same line documents with postern and with Lucene 10.4, taking turns, and prints the ratio.

One thread each, the fields of Lucene's own benchmark (title, titleTokenized, body twice, id, date), the same RAM budget,
no merges, no compound files; the time includes the last flush, the commit with fsync and close. The JVM is warmed up
first and stays. Machines drift, so only the ratios of neighbouring runs count: the result is their median.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys

import engines


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--corpus", default="realtext", help="realtext, europarl, synth, or a file of line documents (realtext)")
    p.add_argument("--docs", type=int, default=50_000, help="documents per run (50000)")
    p.add_argument("--pairs", type=int, default=7, help="measured pairs of runs (7)")
    p.add_argument("--warmup", type=int, default=2, help="unmeasured runs of both before (2)")
    p.add_argument("--ram-mb", type=float, default=256)
    p.add_argument("--bodies", type=int, default=2, help="how often the body is added to a document (2, as Lucene's benchmark does)")
    p.add_argument("--pools", default="inline", choices=["shared", "separate", "inline"])
    p.add_argument("--full", action="store_true", help="150,000 documents, 11 pairs, 3 warm-ups")
    p.add_argument("--heap", help="heap of the JVM, for example 4g (its default)")
    p.add_argument("--out", help="where the indexes are written (a temporary folder)")
    p.add_argument("--json", help="also write the result to this file")
    p.add_argument("--build-dir", default=engines.ROOT / "build")
    p.add_argument("--postern-only", action="store_true", help="no Lucene: only postern's own numbers")
    a = p.parse_args()
    if a.full:
        a.docs, a.pairs, a.warmup = 150_000, 11, 3
    return a


def summary(runs, chars):
    """Medians of one engine's runs; chars = UTF-16 units of titles and bodies of one run."""
    seconds = statistics.median(r["seconds"] for r in runs)
    cpu = statistics.median(r["cpu_seconds"] for r in runs)
    docs = runs[0]["docs"]
    return {"docs_per_second": docs / seconds, "docs_per_cpu_second": docs / cpu, "seconds": seconds, "cpu_seconds": cpu,
            "gb_per_hour": chars / 2**30 / seconds * 3600, "index_bytes": runs[-1]["index_bytes"], "segments": runs[-1]["segments"]}


def ratio(pairs, key):
    r = sorted(lucene[key] / postern[key] for postern, lucene in pairs)
    return {"median": statistics.median(r), "lowest": r[0], "highest": r[-1]}


def commit_of_source():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=engines.ROOT, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip() or "unknown"


def main():
    a = parse()
    binary = engines.build_index_bench(a.build_dir)
    corpus = engines.corpus_path(a.corpus)
    out = engines.scratch_directory(a.out)
    both = [engines.postern_engine(binary, corpus, out, a.pools)]
    try:
        if not a.postern_only:
            both.append(engines.lucene_engine(corpus, out, heap=a.heap))
        for _ in range(a.warmup):
            for engine in both:
                engine.run(a.docs, a.ram_mb, a.bodies)
        pairs = []
        for i in range(a.pairs):
            # Each goes first every other time.
            results = {e.name: e.run(a.docs, a.ram_mb, a.bodies) for e in (both if i % 2 == 0 else both[::-1])}
            pairs.append((results["postern"], results.get("lucene")))
            print(f"pair {i + 1}: " + "  ".join(f"{r['engine']} {r['docs'] / r['seconds']:9,.0f} docs/s"
                                                 for r in pairs[-1] if r), file=sys.stderr)
        rss = {e.name: e.peak_rss_mb() for e in both}
    finally:
        for engine in both:
            engine.close()
        engines.remove(out)

    chars = pairs[0][1]["chars"] if pairs[0][1] else 0
    result = {"commit": commit_of_source(), "corpus": a.corpus, "docs": pairs[0][0]["docs"], "bodies": a.bodies, "ram_mb": a.ram_mb,
              "pools": a.pools, "pairs": a.pairs, "cpus": os.cpu_count(), "machine": platform.machine(), "load": os.getloadavg()[0],
              "postern": summary([p for p, _ in pairs], chars) | {"peak_rss_mb": rss["postern"]}}
    if not a.postern_only:
        result["lucene"] = summary([l for _, l in pairs], chars) | {"peak_rss_mb": rss["lucene"]}
        result["ratio"] = ratio(pairs, "seconds")
        result["cpu_ratio"] = ratio(pairs, "cpu_seconds")

    print(f"{a.corpus}, {result['docs']:,} documents, body {a.bodies}x, {a.ram_mb:g} MB, one thread, {result['pairs']} pairs of runs")
    print(f"{'':10}{'docs/s':>12}{'docs/CPU-s':>12}{'GB/h':>8}{'index MB':>10}{'segments':>10}{'peak RSS MB (input included)':>31}")
    for name in ("lucene", "postern"):
        if name in result:
            r = result[name]
            print(f"{name:10}{r['docs_per_second']:12,.0f}{r['docs_per_cpu_second']:12,.0f}{r['gb_per_hour']:8.1f}"
                  f"{r['index_bytes'] / 1e6:10.1f}{r['segments']:10}{r['peak_rss_mb']:31,.0f}")
    if "ratio" in result:
        for key, label in (("ratio", "postern is"), ("cpu_ratio", "by CPU time")):
            r = result[key]
            print(f"{label} {r['median']:.2f} times as fast (median of the pairs; {r['lowest']:.2f} to {r['highest']:.2f})")
    if a.json:
        with open(a.json, "w") as f:
            json.dump(result | {"runs": pairs}, f, indent=1)
            f.write("\n")


if __name__ == "__main__":
    main()
