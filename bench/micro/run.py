#!/usr/bin/env python3
"""The microbenchmark of the proposal (docs/formats/04 §1) on Lucene's own classes (JMH) and on five layouts in C++, in turns.

Each round runs every row (benchmark, skew, threads) on both sides, one right after the other; the ratio of a row is the median
of the rounds' ratios. Rows already in the results are not run again, so an interrupted run continues where it stopped.

  bench/micro/run.py            24 rows, 5 rounds: about 70 minutes
  bench/micro/run.py --short    8 rows (1 thread), 1 round: about 3 minutes
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import common
import jvm

sys.path.insert(0, str(common.ROOT / "bench/e2e"))
import engines

BENCHMARKS = ["indexSegment", "indexSegmentAndSort"]
SKEWS = ["1", "3", "6", "UUID"]


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--threads", default="1,2,4")
    p.add_argument("--skews", default=",".join(SKEWS))
    p.add_argument("--benchmarks", default=",".join(BENCHMARKS))
    p.add_argument("--seconds", type=float, default=2, help="length of one of JMH's two measured iterations, and of a C++ run (2)")
    p.add_argument("--huge-pages", choices=["on", "off"], default="on", help="2 MB pages: for the JVM's heap and malloc (on)")
    p.add_argument("--heap", default="4g")
    p.add_argument("--short", action="store_true", help="one round of the rows of one thread, short iterations")
    p.add_argument("--fresh", action="store_true", help="forget earlier results")
    p.add_argument("--results", default=common.RESULTS)
    p.add_argument("--build-dir", default=common.ROOT / "build")
    a = p.parse_args()
    if a.short:
        a.rounds, a.threads, a.seconds = 1, "1", 1
    return a


def run_java(a, benchmark, skew, threads):
    """ns per add of each of Lucene's layouts."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        options = [f"-Xms{a.heap}", f"-Xmx{a.heap}", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch", *jvm.huge_page_options(a.huge_pages == "on")]
        seconds = f"{round(a.seconds * 1000)}ms"
        command = jvm.command("org.openjdk.jmh.Main", rf"TermHashBench\.{benchmark}$", "-f", 1, "-wi", 2, "-w", seconds, "-i", 2, "-r", seconds,
                              "-t", threads, "-p", f"skew={skew}", "-foe", "true", "-rf", "json", "-rff", out.name, "-jvmArgs", " ".join(options))
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"bench: JMH failed:\n{done.stdout[-3000:]}")
        return {"java_" + r["params"]["pools"]: r["primaryMetric"]["score"] for r in json.load(open(out.name))}


def run_native(a, binary, benchmark, skew, threads):
    """ns per add of each layout in C++."""
    environment = os.environ | ({"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"} if a.huge_pages == "on" else {})
    number = "0" if skew == "UUID" else skew
    done = subprocess.run([binary, f"--benchmark_filter=^{benchmark}/.*skew:{number}/.*threads:{threads}$", f"--benchmark_min_time={a.seconds}",
                           "--benchmark_enable_random_interleaving=true", "--benchmark_format=json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"bench: seed_bench failed:\n{done.stderr[-3000:]}")
    rows = json.loads(done.stdout)["benchmarks"]
    return ({r["name"].split("/")[1]: r["ns_per_add"] for r in rows}, {r["name"].split("/")[1]: r["MB"] for r in rows})


def table(found):
    """Prints medians of ns per add, and of the rounds' ratios to Lucene as it is."""
    names = ["java_shared", "java_separate", "lucene_shared", "lucene_separate", "shared", "separate", "inline"]
    print(f"{'row':38}" + "".join(f"{n:>17}" for n in names) + "   java_shared / inline")
    for row in dict.fromkeys(tuple(r["key"][k] for k in ("benchmark", "skew", "threads")) for r in found):
        of = [r["values"] for r in found if tuple(r["key"][k] for k in ("benchmark", "skew", "threads")) == row]
        ratio = common.spread(v["ns"]["java_shared"] / v["ns"]["inline"] for v in of)
        print(f"{row[0]:21} skew {row[1]:4} {row[2]} thr." + "".join(f"{common.spread(v['ns'][n] for v in of)['median']:17.1f}" for n in names)
              + f"   {ratio['median']:.2f} ({ratio['lowest']:.2f} to {ratio['highest']:.2f})")


def main():
    a = parse()
    binary = engines.build_index_bench(a.build_dir, "seed_bench")
    jvm.class_path()
    name = "micro_short" if a.short else "micro"
    store = common.Store(a.results, name, a.fresh)
    rows = [{"benchmark": b, "skew": s, "threads": int(t), "round": r, "huge_pages": a.huge_pages, "seconds": a.seconds}
            for r in range(a.rounds) for b in a.benchmarks.split(",") for s in a.skews.split(",") for t in a.threads.split(",")]
    todo = [key for key in rows if not store.has(key)]
    progress = common.Progress(len(todo))
    for key in todo:
        row = (key["benchmark"], key["skew"], key["threads"])
        if key["round"] % 2 == 0:
            java = run_java(a, *row)
            native, megabytes = run_native(a, binary, *row)
        else:
            native, megabytes = run_native(a, binary, *row)
            java = run_java(a, *row)
        store.add(key, {"ns": java | native, "mb": megabytes})
        progress.say(f"round {key['round'] + 1} {row[0]} skew {row[1]} threads {row[2]}: "
                     + " ".join(f"{n} {v:.0f}" for n, v in (java | native).items()))
    table(common.latest(a.results, name))


if __name__ == "__main__":
    main()
