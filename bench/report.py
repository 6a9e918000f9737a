#!/usr/bin/env python3
"""Makes the tables and plots of docs/benchmarks.md from the results of the benchmarks.

Every part stands between <!-- results: NAME --> and <!-- end --> and is replaced as a whole; a part without results stays as it is.
Plots go to docs/plots as SVG, on a transparent ground and in colors that can be read on light and dark pages.

  bench/report.py --print            only prints the tables
  bench/report.py                    writes docs/benchmarks.md and docs/plots
  bench/report.py --short --docs build/bench-report    a page of its own, of the short runs (make bench)
"""
import argparse
import pathlib
import re
import shutil

import common
import report_tables


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--results", default=common.RESULTS, type=pathlib.Path)
    p.add_argument("--docs", default=common.ROOT / "docs", type=pathlib.Path)
    p.add_argument("--short", action="store_true", help="the results of the short runs")
    p.add_argument("--print", action="store_true", help="write nothing")
    return p.parse_args()


def results_of(folder, short):
    """Name -> records of the commit measured last, of what there is; of corpora, which no commit changes, all."""
    names = ["micro", "rows", "layouts", "growth", "json_lines", "opensearch", "profile", "cache"]
    files = {n: n + "_short" if short else n for n in names} | {"rss": "rss", "corpora": "corpora"}
    read = lambda name, file: common.records(pathlib.Path(folder) / f"{file}.jsonl") if name == "corpora" else common.latest(folder, file)  # noqa: E731
    found = {name: read(name, file) for name, file in files.items()
             if (pathlib.Path(folder) / f"{file}.jsonl").exists()}
    return {name: records for name, records in found.items() if records}


def splice(text, name, part):
    """Replaces the part of a name; the text must have its place."""
    pattern = re.compile(rf"(<!-- results: {name} -->\n).*?(<!-- end -->)", re.S)
    if not pattern.search(text):
        raise SystemExit(f"report: docs/benchmarks.md has no place for {name}")
    return pattern.sub(lambda m: m[1] + part.strip() + "\n" + m[2], text)


def main():
    a = parse()
    found = results_of(a.results, a.short)
    parts = report_tables.parts(found)
    if a.print:
        for name, part in parts.items():
            print(f"== {name}\n\n{part}\n")
        return
    import report_plots
    page = a.docs / "benchmarks.md"
    if a.docs.resolve() == common.ROOT / "docs":
        text = page.read_text()
    else:
        a.docs.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"(<!-- results: \w+ -->\n).*?(<!-- end -->)", r"\1\2", (common.ROOT / "docs/benchmarks.md").read_text(), flags=re.S)
    plots = report_plots.write_all(found, a.docs / "plots")
    for name, part in parts.items():
        text = splice(text, name, part + "\n\n" + "\n\n".join(f"![{title}](plots/{file})" for title, file in plots.get(name, [])))
    page.write_text(text)
    for flame in a.results.glob("flame_*.svg"):
        shutil.copy(flame, a.docs / "plots" / flame.name)


if __name__ == "__main__":
    main()
