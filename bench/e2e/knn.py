#!/usr/bin/env python3
"""Builds the graph over the same vectors with postern and with Lucene 10.4, taking turns, then lets Lucene search both.

One thread each, one segment, no merges, no compound files; the time is that of the whole index: from opening the writer to the end of
close. Lucene runs with its Vector API module (jdk.incubator.vector) in a JVM that is warmed up first and stays. Machines drift, so only
the ratios of neighbouring runs count: the result is their median. Recall: of the 10 truly nearest documents, the share that Lucene's
own search finds with k = 10.

Data sets: random (independent Gaussian components) and clustered (200 Gaussian centres, vectors 0.3 around them), seeded; queries
are drawn in the same way.
"""
import argparse
import array
import json
import os
import random
import statistics
import subprocess
import sys

import engines


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--sets", default="random64,clustered64,random384,clustered384", help="data sets: random or clustered, then the dimension")
    p.add_argument("--vectors", type=int, default=20_000)
    p.add_argument("--queries", type=int, default=500)
    p.add_argument("--similarity", default="l2", choices=["l2", "cosine", "dot_product", "max_inner_product"])
    p.add_argument("--element-type", default="float32", choices=["float32", "byte"], help="byte: components times 32, rounded and clipped")
    p.add_argument("--pairs", type=int, default=5, help="measured pairs of runs (5)")
    p.add_argument("--warmup", type=int, default=2, help="unmeasured runs of each before (2)")
    p.add_argument("--seed", type=int, default=7)
    p.add_argument("--out", help="where vectors and indexes are written (a temporary folder)")
    p.add_argument("--json", help="also write the result to this file")
    p.add_argument("--build-dir", default=engines.ROOT / "build")
    return p.parse_args()


def components(name, dimension, count, rng):
    centers = [[rng.gauss(0, 1) for _ in range(dimension)] for _ in range(200)] if name == "clustered" else None
    for _ in range(count):
        if centers:
            yield [x + rng.gauss(0, 0.3) for x in centers[int(rng.random() * len(centers))]]
        else:
            yield [rng.gauss(0, 1) for _ in range(dimension)]


def write_vectors(a, name, dimension, folder):
    """Returns the files of the vectors and of the queries."""
    files = folder / f"{name}{dimension}.vectors", folder / f"{name}{dimension}.queries"
    rows = components(name, dimension, a.vectors + a.queries, random.Random(a.seed))
    for path, count in zip(files, (a.vectors, a.queries)):
        with open(path, "wb") as out:
            for _ in range(count):
                row = next(rows)
                if a.element_type == "byte":
                    out.write(array.array("b", [max(-128, min(127, round(32 * x))) for x in row]).tobytes())
                else:
                    out.write(array.array("f", row).tobytes())
    return files


class Engine(engines.Engine):
    def run(self, vectors):
        self.process.stdin.write(f"run {vectors} 1900 {self.out}\n")
        self.process.stdin.flush()
        answer = self._answer()
        if answer["segments"] != 1:
            sys.exit(f"knn: {self.name} made {answer['segments']} segments")
        return answer


def recall_of(index, queries):
    done = subprocess.run([engines.ROOT / "tests/java/oracle", "knn-recall", index, "v", queries], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout)


def measure(a, data_set, binary, folder):
    name, dimension = data_set.rstrip("0123456789"), int(data_set.lstrip("abcdefghijklmnopqrstuvwxyz"))
    vectors, queries = write_vectors(a, name, dimension, folder)
    words = [vectors, dimension, a.element_type, a.similarity]
    os.environ["ORACLE_JAVA_OPTS"] = ""
    postern = Engine("postern", [binary, *words], folder / "postern")
    lucene = Engine("lucene", [engines.ROOT / "tests/java/oracle", "knn-bench", *words], folder / "lucene")
    for _ in range(a.warmup):
        postern.run(a.vectors)
        lucene.run(a.vectors)
    pairs = []
    for i in range(a.pairs):
        first, second = (postern, lucene) if i % 2 == 0 else (lucene, postern)
        done = {engine.name: engine.run(a.vectors) for engine in (first, second)}
        pairs.append((done["postern"], done["lucene"]))
    postern.close()
    lucene.close()
    result = {"set": data_set, "pairs": len(pairs)}
    for key in ("seconds", "cpu_seconds"):
        ratios = sorted(b[key] / p[key] for p, b in pairs)
        result[key] = {"postern": statistics.median(p[key] for p, _ in pairs), "lucene": statistics.median(b[key] for _, b in pairs),
                       "ratio": statistics.median(ratios), "lowest": ratios[0], "highest": ratios[-1]}
    result["recall"] = {engine: recall_of(folder / engine, queries) for engine in ("postern", "lucene")}
    return result


def main():
    a = parse()
    binary = engines.build_index_bench(a.build_dir, "knn_bench")
    folder = engines.scratch_directory(a.out)
    results = []
    print(f"{a.vectors} vectors, {a.element_type}, {a.similarity}; ratios: Lucene's time / postern's, median (lowest to highest)")
    try:
        for data_set in a.sets.split(","):
            r = measure(a, data_set, binary, folder)
            results.append(r)
            wall, cpu, recall = r["seconds"], r["cpu_seconds"], r["recall"]
            print(f"{data_set:>13}: {wall['ratio']:.2f}x ({wall['lowest']:.2f} to {wall['highest']:.2f}) by time, {cpu['ratio']:.2f}x by CPU time "
                  f"({wall['postern']:.2f} s and {wall['lucene']:.2f} s); recall@10 {recall['postern']['recall']:.4f} and "
                  f"{recall['lucene']['recall']:.4f}, visited {recall['postern']['visited']:.0f} and {recall['lucene']['visited']:.0f}", flush=True)
    finally:
        engines.remove(folder)
    if a.json:
        with open(a.json, "w") as out:
            json.dump(results, out, indent=1)


if __name__ == "__main__":
    main()
