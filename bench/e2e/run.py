#!/usr/bin/env python3
"""Indexes the same line documents with postern and with Lucene 10.4, taking turns, and prints the ratio for each set of fields.

One thread each, fields of Lucene's own benchmark, the same RAM budget, no merges, no compound files; the time includes the last
flush, the commit with fsync and close. The JVM is warmed up first and stays. Machines drift, so only the ratios of neighbouring
runs count: the result is their median.

Sets of fields:
  text             title, titleTokenized, the body twice, id, date, and the points of id and timesecnum
  columns          text, with all doc values, skip indexes and points that the benchmark can switch on
  no_body          text without the body
  columns_no_body  columns without the body
  points           the four points alone
  doc_values       the columns alone
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys

import engines

# Set: what the engines call its fields, whether it has the body, and its documents as a multiple of --docs.
SETS = {
    "text": ("base", True, 1),
    "columns": ("columns", True, 1),
    "no_body": ("base", False, 4),
    "columns_no_body": ("columns", False, 4),
    "points": ("points", False, 20),
    "doc_values": ("doc_values", False, 8),
}


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--corpus", default="realtext", help="realtext, europarl, synth, or a file of line documents (realtext)")
    p.add_argument("--sets", default=",".join(SETS), help="which sets of fields, separated by commas (all)")
    p.add_argument("--docs", type=int, default=40_000, help="documents per run with the body; the other sets take 4 to 20 times as many (40000)")
    p.add_argument("--pairs", type=int, default=7, help="measured pairs of runs of each set (7)")
    p.add_argument("--warmup", type=int, default=2, help="unmeasured runs of each before (2)")
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
    a.sets = a.sets.split(",")
    for name in a.sets:
        if name not in SETS:
            p.error(f"no set of fields is called {name}; there are {', '.join(SETS)}")
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


def spread(ratios):
    r = sorted(ratios)
    return {"median": statistics.median(r), "lowest": r[0], "highest": r[-1]}


def ratios(pairs, key):
    return [lucene[key] / postern[key] for postern, lucene in pairs]


def commit_of_source():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=engines.ROOT, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip() or "unknown"


def measure(a, both, corpus_docs):
    """For each set the pairs (postern's run, Lucene's run). All sets take turns, too, so that they can be compared."""

    def run(engine, name):
        fields, has_body, times = SETS[name]
        docs = min(a.docs, corpus_docs) if has_body else a.docs * times
        return engine.run(docs, a.ram_mb, a.bodies if has_body else 0, fields)

    pairs = {name: [] for name in a.sets}
    for i in range(-a.warmup, a.pairs):
        for name in a.sets:
            # Each goes first every other time.
            results = {e.name: run(e, name) for e in (both if i % 2 == 0 else both[::-1])}
            if i < 0:
                continue
            pairs[name].append((results["postern"], results.get("lucene")))
            print(f"pair {i + 1}, {name}: " + "  ".join(f"{r['engine']} {r['docs'] / r['seconds']:9,.0f} docs/s"
                                                         for r in pairs[name][-1] if r), file=sys.stderr)
    return pairs


def of_set(pairs):
    chars = pairs[0][1]["chars"] if pairs[0][1] else 0
    result = {"docs": pairs[0][0]["docs"], "postern": summary([p for p, _ in pairs], chars)}
    if pairs[0][1]:
        result["lucene"] = summary([l for _, l in pairs], chars)
        result["ratio"] = spread(ratios(pairs, "seconds"))
        result["cpu_ratio"] = spread(ratios(pairs, "cpu_seconds"))
    return result


def table(result):
    print(f"{result['corpus']}, {result['ram_mb']:g} MB, one thread, body {result['bodies']}x, {result['pairs']} pairs of runs; "
          "ratios are medians of the pairs (lowest to highest)")
    print(f"{'set of fields':17}{'documents':>10}  {'engine':8}{'docs/s':>11}{'docs/CPU-s':>12}{'GB/h':>8}{'index MB':>10}{'segments':>9}")
    for name, of in result["sets"].items():
        for engine in ("lucene", "postern"):
            if engine not in of:
                continue
            r = of[engine]
            gb = f"{r['gb_per_hour']:8.1f}" if SETS[name][1] and "lucene" in of else f"{'':8}"
            head = f"{name:17}{of['docs']:10,}" if engine == "lucene" or "lucene" not in of else f"{'':27}"
            print(f"{head}  {engine:8}{r['docs_per_second']:11,.0f}{r['docs_per_cpu_second']:12,.0f}{gb}"
                  f"{r['index_bytes'] / 1e6:10.1f}{r['segments']:9}")
        if "ratio" in of:
            t, c = of["ratio"], of["cpu_ratio"]
            print(f"{'':29}postern is {t['median']:.2f} times as fast ({t['lowest']:.2f} to {t['highest']:.2f}), "
                  f"by CPU time {c['median']:.2f} ({c['lowest']:.2f} to {c['highest']:.2f})")
    for key, label in (("columns_against_text", "by time"), ("cpu_columns_against_text", "by CPU time")):
        if key in result:
            r = result[key]
            print(f"the ratio with all columns is {r['median']:.2f} times the ratio without, {label} ({r['lowest']:.2f} to {r['highest']:.2f})")
    print("peak RSS, input included: " + ", ".join(f"{name} {mb:,.0f} MB" for name, mb in result["peak_rss_mb"].items()))


def main():
    a = parse()
    binary = engines.build_index_bench(a.build_dir)
    corpus = engines.corpus_path(a.corpus)
    out = engines.scratch_directory(a.out)
    both = [engines.postern_engine(binary, corpus, out, a.pools)]
    try:
        if not a.postern_only:
            both.append(engines.lucene_engine(corpus, out, heap=a.heap))
        pairs = measure(a, both, both[0].documents)
        rss = {e.name: e.peak_rss_mb() for e in both}
    finally:
        for engine in both:
            engine.close()
        engines.remove(out)

    result = {"commit": commit_of_source(), "corpus": a.corpus, "bodies": a.bodies, "ram_mb": a.ram_mb, "pools": a.pools, "pairs": a.pairs,
              "cpus": os.cpu_count(), "machine": platform.machine(), "load": os.getloadavg()[0], "peak_rss_mb": rss,
              "sets": {name: of_set(p) for name, p in pairs.items()}}
    if not a.postern_only and "text" in pairs and "columns" in pairs:
        for prefix, key in (("", "seconds"), ("cpu_", "cpu_seconds")):
            quotients = [c / t for c, t in zip(ratios(pairs["columns"], key), ratios(pairs["text"], key))]
            result[prefix + "columns_against_text"] = spread(quotients)
    table(result)
    if a.json:
        with open(a.json, "w") as f:
            json.dump(result | {"runs": pairs}, f, indent=1)
            f.write("\n")


if __name__ == "__main__":
    main()
