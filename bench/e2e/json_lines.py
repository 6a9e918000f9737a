#!/usr/bin/env python3
"""`postern index` from JSON Lines beside warm Lucene 10.4 that Jackson's streaming parser feeds from the same file.

The time of postern is that of the whole process, its start included; the JVM stays and is warmed up. Ratios are medians of rounds.

  bench/e2e/json_lines.py           1 and 2 threads, 5 rounds of 150,000 documents: about 4 minutes
  bench/e2e/json_lines.py --short   1 thread, 2 rounds of 40,000: half a minute
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import common
import engines
import jvm

SCHEMA = {"fields": [{"name": "id", "type": "keyword", "store": True}, {"name": "title", "type": "text", "store": True},
                     {"name": "date", "type": "keyword", "store": True}, {"name": "body", "type": "text"},
                     {"name": "number", "type": "long", "doc_values": "sorted_numeric"}]}


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--corpus", default="realtext")
    p.add_argument("--docs", type=int, default=150_000)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--warmup", type=int, default=2)
    p.add_argument("--threads", default="1,2")
    p.add_argument("--ram-mb", type=int, default=256)
    p.add_argument("--short", action="store_true")
    p.add_argument("--fresh", action="store_true", help="forget earlier results")
    p.add_argument("--out", help="where the indexes and the input are written (a temporary folder)")
    p.add_argument("--results", default=common.RESULTS)
    p.add_argument("--build-dir", default=common.ROOT / "build")
    a = p.parse_args()
    if a.short:
        a.docs, a.rounds, a.threads = 40_000, 2, "1"
    return a


def write_input(corpus, docs, path):
    """The first lines of a corpus as objects of the schema."""
    with open(engines.corpus_path(corpus), encoding="utf-8") as lines, open(path, "w", encoding="utf-8") as out:
        for number, line in zip(range(docs), lines):
            title, date, body = line.rstrip("\n").split("\t", 2)
            document = {"id": f"{number:06d}", "title": title, "date": date, "body": body, "number": number}
            out.write(json.dumps(document, ensure_ascii=False) + "\n")


def run_postern(binary, a, source, schema, threads, out):
    command = [binary, "index", "--create", "--out", out, "--schema", schema, "--threads", threads, "--ram-mb", a.ram_mb,
               "--compound", "false", "--quiet", "--json", source]
    start = time.monotonic()
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True)
    seconds = time.monotonic() - start
    report = json.loads(done.stdout)
    return {"docs": report["documents"], "seconds": seconds, "segments": report["segments"], "index_bytes": report["index_bytes"]}


def main():
    a = parse()
    engines.build_index_bench(a.build_dir, "postern")
    binary = next(p for p in (pathlib.Path(a.build_dir) / "postern", pathlib.Path(a.build_dir) / "tools/postern/postern") if p.is_file())
    name = "json_lines_short" if a.short else "json_lines"
    store = common.Store(a.results, name, a.fresh)
    todo = [{"corpus": a.corpus, "docs": a.docs, "threads": int(t), "ram_mb": a.ram_mb, "round": r}
            for r in range(a.rounds) for t in a.threads.split(",")]
    todo = [key for key in todo if not store.has(key)]
    if todo:
        out = engines.scratch_directory(a.out)
        source, schema = out / "input.jsonl", out / "schema.json"
        java = subprocess.Popen(jvm.command("bench.JsonLines", options=["-Xmx6g", "-XX:+UseParallelGC", "-XX:+UseTransparentHugePages",
                                                                        "--enable-native-access=ALL-UNNAMED", "--add-modules", "jdk.incubator.vector"]),
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

        def run_lucene(threads):
            java.stdin.write(f"run {source} {a.ram_mb} {threads} {out / 'lucene'}\n")
            java.stdin.flush()
            answer = java.stdout.readline()
            return json.loads(answer) if answer else sys.exit("bench: the JVM ended early")

        try:
            schema.write_text(json.dumps(SCHEMA))
            write_input(a.corpus, a.docs, source)
            for _ in range(a.warmup):
                for threads in dict.fromkeys(key["threads"] for key in todo):
                    run_lucene(threads)
            progress = common.Progress(len(todo))
            for key in todo:
                values = {}
                for engine in ("postern", "lucene") if key["round"] % 2 == 0 else ("lucene", "postern"):
                    values[engine] = (run_lucene(key["threads"]) if engine == "lucene"
                                      else run_postern(binary, a, source, schema, key["threads"], out / "postern"))
                store.add(key, values)
                progress.say(f"{key['threads']} threads: " + ", ".join(f"{e} {v['docs'] / v['seconds']:,.0f} docs/s" for e, v in values.items()))
        finally:
            java.stdin.close()
            java.wait()
            engines.remove(out)
    found = common.latest(a.results, name)
    for threads in sorted({r["key"]["threads"] for r in found}):
        of = [r["values"] for r in found if r["key"]["threads"] == threads]
        ratio = common.spread(v["lucene"]["seconds"] / v["postern"]["seconds"] for v in of)
        size = common.spread(v["postern"]["index_bytes"] / v["lucene"]["index_bytes"] for v in of)
        print(f"{threads} threads: postern {ratio['median']:.2f} times as fast ({ratio['lowest']:.2f} to {ratio['highest']:.2f}), "
              f"index {size['median']:.4f} of Lucene's")


if __name__ == "__main__":
    main()
