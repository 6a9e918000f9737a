#!/usr/bin/env python3
"""How cost grows: docs/s of postern by number of documents, and by size of the vocabulary.

Documents: the synthetic corpus's lines, held in memory and taken again and again (10,000 to 4,000,000 documents, 256 MB buffer).
Vocabulary: 200,000 documents of 100 words, drawn evenly from 10,000 to 10,000,000 words, 2048 MB buffer: every size costs a table and
states of its own. Numbers of documents take turns, vocabularies come one after another; the result is the median of the rounds.

  bench/e2e/growth.py            3 rounds: about 20 minutes
  bench/e2e/growth.py --short    1 round up to 100,000 documents and 1,000,000 words: about 1 minute
"""
import argparse
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import common
import engines

DOCS = (10_000, 100_000, 1_000_000, 4_000_000)
WORDS = (10_000, 100_000, 1_000_000, 10_000_000)


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--pools", default="inline,separate")
    p.add_argument("--vocabulary-docs", type=int, default=200_000)
    p.add_argument("--short", action="store_true")
    p.add_argument("--fresh", action="store_true", help="forget earlier results")
    p.add_argument("--out", help="where the indexes and the input are written (a temporary folder)")
    p.add_argument("--results", default=common.RESULTS)
    p.add_argument("--build-dir", default=common.ROOT / "build")
    a = p.parse_args()
    a.docs, a.words, a.name = DOCS, WORDS, "growth"
    if a.short:
        a.docs, a.words, a.name, a.rounds, a.pools, a.vocabulary_docs = DOCS[:2], WORDS[:3], "growth_short", 1, "inline", 50_000
    return a


def write_words(path, docs, words):
    """Line documents whose 100 words are drawn evenly; a word is its number in base 26, 6 letters."""
    rng = random.Random(words)
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = [a + b for a in letters for b in letters]

    def word(n):
        n = n * 2654435761 % 308915776  # 26^6, so that near numbers are not near words; the factor has no divisor in common with it
        return pairs[n % 676] + pairs[n // 676 % 676] + pairs[n // 456976]

    with open(path, "w") as out:
        for _ in range(docs):
            out.write("title\t01-JAN-2001 00:00:00.000\t" + " ".join(word(int(rng.random() * words)) for _ in range(100)) + "\n")


def run_sizes(a, binary, store, progress, todo):
    """One engine at a time holds its input in memory; rounds of one input are run together."""
    out = engines.scratch_directory(a.out)
    try:
        for kind, size in dict.fromkeys((k["kind"], k["size"]) for k in todo if k["kind"] == "words"):
            source = out / "words.txt"
            write_words(source, a.vocabulary_docs, size)
            run_keys(a, binary, store, progress, source, out, [k for k in todo if (k["kind"], k["size"]) == (kind, size)])
            source.unlink()
        keys = [k for k in todo if k["kind"] == "documents"]
        if keys:
            run_keys(a, binary, store, progress, engines.corpus_path("synth"), out, keys)
    finally:
        engines.remove(out)


def run_keys(a, binary, store, progress, source, out, keys):
    for pools in dict.fromkeys(k["pools"] for k in keys):
        engine = engines.postern_engine(binary, source, out, pools)
        try:
            engine.run(min(k["docs"] for k in keys), keys[0]["ram_mb"], 1)
            for key in (k for k in keys if k["pools"] == pools):
                values = engine.run(key["docs"], key["ram_mb"], 1)
                store.add(key, values)
                progress.say(f"{key['kind']} {key['size']:,}, {pools}: {values['docs'] / values['seconds']:,.0f} docs/s")
        finally:
            engine.close()


def main():
    a = parse()
    binary = engines.build_index_bench(a.build_dir)
    store = common.Store(a.results, a.name, a.fresh)
    keys = [{"kind": "documents", "size": n, "docs": n, "ram_mb": 256, "pools": p, "round": r}
            for r in range(a.rounds) for n in a.docs for p in a.pools.split(",")]
    keys += [{"kind": "words", "size": n, "docs": a.vocabulary_docs, "ram_mb": 2048, "pools": p, "round": r}
             for r in range(a.rounds) for n in a.words for p in a.pools.split(",")]
    todo = [k for k in keys if not store.has(k)]
    run_sizes(a, binary, store, common.Progress(len(todo)), todo)
    found = common.latest(a.results, a.name)
    for row in dict.fromkeys(tuple(r["key"][k] for k in ("kind", "size", "pools")) for r in found):
        of = [r["values"] for r in found if tuple(r["key"][k] for k in ("kind", "size", "pools")) == row]
        rate = common.spread(v["docs"] / v["seconds"] for v in of)
        print(f"{row[0]:10}{row[1]:12,}{row[2]:>10}{rate['median']:12,.0f} docs/s ({rate['lowest']:,.0f} to {rate['highest']:,.0f}), "
              f"{of[-1]['segments']} segments")


if __name__ == "__main__":
    main()
