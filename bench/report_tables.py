"""The tables of docs/benchmarks.md, in Markdown."""
import common
import report_answer
import report_targets
from report_targets import ratios

LAYOUTS = ["java_shared", "java_separate", "lucene_shared", "lucene_separate", "shared", "separate", "inline"]
# ns per add, and the change by separate pools, as the proposal published them (docs/formats/04 §1.3).
PUBLISHED = {
    (1, "indexSegment"): {"1": (259.5, 2.2), "3": (230.2, 2.3), "6": (193.8, 2.8), "UUID": (315.6, -0.1)},
    (1, "indexSegmentAndSort"): {"1": (269.1, 1.8), "3": (243.1, 1.1), "6": (197.6, 2.4), "UUID": (620.8, -3.2)},
    (4, "indexSegment"): {"1": (430.2, 5.2), "3": (355.2, 3.3), "6": (249.5, 3.5), "UUID": (375.5, -0.9)},
    (4, "indexSegmentAndSort"): {"1": (442.0, 4.7), "3": (370.0, 1.8), "6": (261.6, 3.1), "UUID": (703.9, -2.5)},
}


def markdown(head, rows):
    line = lambda cells: "| " + " | ".join(map(str, cells)) + " |"  # noqa: E731
    return "\n".join([line(head), line(["---"] * len(head)), *map(line, rows)])


def source_of(records, command):
    """Where and when the records were measured."""
    loads = [r["load"] for r in records]
    return (f"`{command}`, commit {records[-1]['commit']}, {records[-1]['time'][:10]}, {records[-1]['machine']}, "
            f"load {min(loads):.1f} to {max(loads):.1f}.")


def groups(records, *names):
    """Records by the values of these keys, in order of appearance."""
    found = {}
    for r in records:
        found.setdefault(tuple(r["key"][n] for n in names), []).append(r["values"])
    return found


def text_of(spread, digits=2):
    return f"{spread['median']:.{digits}f} ({spread['lowest']:.{digits}f}–{spread['highest']:.{digits}f})"


def change(values, new, old):
    """Change in per cent, as the median of the rounds."""
    return f"{100 * (common.spread(v['ns'][new] / v['ns'][old] for v in values)['median'] - 1):+.1f} %"


def micro(records):
    by_row = groups(records, "threads", "benchmark", "skew")
    times, changes = [], []
    for (threads, benchmark, skew), values in by_row.items():
        medians = [f"{common.spread(v['ns'][n] for v in values)['median']:.0f}" for n in LAYOUTS]
        ratio = text_of(ratios(v["ns"]["java_shared"] / v["ns"]["inline"] for v in values))
        times.append([threads, benchmark, skew, *medians, ratio])
        published = PUBLISHED.get((threads, benchmark), {}).get(skew)
        changes.append([threads, benchmark, skew, f"{published[0]} ns, {published[1]:+.1f} %" if published else "", change(values, "java_separate", "java_shared"),
                        change(values, "lucene_separate", "lucene_shared"), change(values, "separate", "shared")])
    head = ["threads", "benchmark", "skew"]
    return "\n\n".join([
        source_of(records, "bench/micro/run.py"),
        "ns per add, medians; the last column is Lucene's time (`java_shared`) by that of `inline`, median of the rounds' ratios (lowest–highest):",
        markdown([*head, *(f"`{n}`" for n in LAYOUTS), "times as fast"], times),
        "What a pool of its own for the text of terms changes (negative: faster):",
        markdown([*head, "published (shared; change)", "Lucene, Java", "Lucene's layout, C++", "postern's"], changes)])


def hourly(values, engine):
    """GB/h by UTF-16 units of titles and bodies, once a document, which Lucene's side counts."""
    units = next((values[0][e]["chars"] for e in values[0] if e.startswith("lucene")), None)
    return f"{units / 2**30 / common.spread(v[engine]['seconds'] for v in values)['median'] * 3600:.1f}" if units else ""


def rows(records):
    table = []
    for (name,), values in groups(records, "row").items():
        ours = next(e for e in values[0] if e.startswith("postern"))
        for engine in values[0]:
            rate = common.spread(v[engine]["docs"] / v[engine]["seconds"] for v in values)
            against = "" if engine == ours else text_of(ratios(v[engine]["seconds"] / v[ours]["seconds"] for v in values))
            table.append([name if engine == next(iter(values[0])) else "", f"{values[0][engine]['docs']:,}", engine, f"{rate['median']:,.0f}",
                          f"{rate['lowest']:,.0f}–{rate['highest']:,.0f}", hourly(values, engine), f"{values[-1][engine]['index_bytes'] / 1e6:.1f}", against])
    return source_of(records, "bench/e2e/rows.py") + "\n\n" + markdown(
        ["row", "documents", "engine", "docs/s", "lowest–highest", "GB/h", "index MB", "postern is times as fast"], table)


def layouts(records):
    table = []
    for (corpus, case, threads), values in groups(records, "corpus", "case", "threads").items():
        for layout in ("shared", "separate", "inline"):
            rate = common.spread(v[layout]["docs"] / v[layout]["seconds"] for v in values)
            hourly = common.spread(v[layout]["chars"] / 2**30 / v[layout]["seconds"] * 3600 for v in values)
            time = ratios(v["shared"]["seconds"] / v[layout]["seconds"] for v in values)
            cpu = ratios(v["shared"]["cpu_seconds"] / v[layout]["cpu_seconds"] for v in values)
            table.append([f"{corpus}, {case}, {threads}" if layout == "shared" else "", layout, *(f"{rate[k]:,.0f}" for k in ("mean", "median", "lowest", "highest")),
                          f"{hourly['median']:.1f}", f"{100 * (time['median'] - 1):+.1f} %", f"{100 * (cpu['median'] - 1):+.1f} %", len(values)])
    return source_of(records, "bench/e2e/layouts.py") + "\n\n" + markdown(
        ["corpus, case, threads", "layout", "mean docs/s", "median", "worst", "best", "GB/h", "against shared", "by CPU time", "rounds"], table)


def growth(records):
    table = []
    for (kind, size, pools), values in groups(records, "kind", "size", "pools").items():
        rate = common.spread(v["docs"] / v["seconds"] for v in values)
        table.append([kind, f"{size:,}", pools, f"{rate['median']:,.0f}", f"{rate['lowest']:,.0f}–{rate['highest']:,.0f}", values[-1]["segments"]])
    return source_of(records, "bench/e2e/growth.py") + "\n\n" + markdown(["growing", "size", "layout", "docs/s", "lowest–highest", "segments"], table)


def profile(records):
    columns = [f"{r['key']['corpus']}, {r['key']['layout']}, {r['key']['threads']}" for r in records]
    share = lambda r, stage: 100 * r["values"]["stages"].get(stage, 0) / r["values"]["samples"]  # noqa: E731
    stages = sorted({s for r in records for s in r["values"]["stages"]}, key=lambda s: -sum(share(r, s) for r in records))
    table = [[stage, *(f"{share(r, stage):.1f} %" for r in records)] for stage in stages]
    table.append(["samples", *(f"{r['values']['samples']:,}" for r in records)])
    table.append(["CPU µs per document", *(f"{r['values']['cpu_us_per_doc']:.1f}" for r in records)])
    return source_of(records, "bench/where/profile.py") + "\n\n" + markdown(["share of samples", *columns], table)


def cache(records):
    shown = {"look-up": "term compare", "seen-term path": "slice write", "new terms": "new terms", "sort": "sort"}
    table = []
    for r in sorted(records, key=lambda r: (r["key"]["input"], r["key"]["megabytes"], LAYOUTS.index(r["key"]["layout"]))):
        v = r["values"]
        misses = lambda stages, names: 1000 * sum(v["stages"].get(s, {}).get(n, 0) for s in stages for n in names) / v["adds"]  # noqa: E731
        cells = []
        for wanted in [*([s, "histogram"] if s == "sort" else [s] for s in shown), list(v["stages"])]:
            cells.append(f"{misses(wanted, ('DLmr', 'DLmw')):.1f} ({misses(wanted, ('D1mr', 'D1mw')):,.0f})")
        table.append([r["key"]["input"], f"{r['key']['megabytes']} MB", f"`{r['key']['layout']}`", *cells])
    return (source_of(records, "bench/where/cache.py") + "\n\nMisses of the last level per 1,000 adds (in brackets: of level 1, 32 KB):\n\n"
            + markdown(["input", "last level", "layout", *shown.values(), "all"], table))


def corpora(records):
    table = []
    for r in {r["key"]["corpus"]: r for r in records}.values():
        v = r["values"]
        table.append([f"`{r['key']['corpus']}`", f"{v['docs']:,}", f"{v['megabytes']:,.0f}", f"{v['body_bytes']:,}", f"{v['words']:.0f}", f"{v['known_percent']:.1f} %",
                      f"{v['short_percent']:.1f} %", f"{v['vocabulary']:,}"])
    return markdown(["corpus", "documents", "MB", "bytes a body", "words a body", "adds of known terms", "of these, ≤ 5 bytes", "distinct words"], table)


def json_lines(records):
    table = []
    for (threads,), values in groups(records, "threads").items():
        rates = [f"{common.spread(v[e]['docs'] / v[e]['seconds'] for v in values)['median']:,.0f}" for e in ("postern", "lucene")]
        table.append([threads, *rates, text_of(ratios(v["lucene"]["seconds"] / v["postern"]["seconds"] for v in values))])
    return source_of(records, "bench/e2e/json_lines.py") + "\n\n" + markdown(["threads", "postern docs/s", "Lucene docs/s", "times as fast"], table)


def opensearch(records):
    table = []
    for (case, docs, shards, heap, limit), values in groups(records, "case", "docs", "shards", "heap", "restore_limit").items():
        rate = lambda engine: f"{docs / common.spread(v[engine]['seconds'] for v in values)['median']:,.0f}"  # noqa: E731,B023
        built = common.spread(v["postern"]["build_seconds"] / v["postern"]["seconds"] for v in values)["median"]
        table.append([case, f"{docs:,}", f"{values[0]['megabytes']:,.0f}", shards, heap, "none" if limit == "0" else limit, f"{rate('bulk')} ({values[-1]['bulk']['batch']} by {values[-1]['bulk']['clients']})",
                      rate("postern"), f"{100 * built:.0f} %", text_of(ratios(v["bulk"]["seconds"] / v["postern"]["seconds"] for v in values))])
    return source_of(records, "bench/opensearch/bulk.py") + "\n\n" + markdown(
        ["documents", "number", "MB", "shards", "heap", "restore limit", "docs/s by _bulk (batch, clients)", "docs/s by postern", "of that, building", "times as fast"], table)


def rss(records):
    table = [[f"{r['key']['ram_mb']:g} MB", f"{r['values']['postern']['peak_mb']:,.0f} MB", f"{r['values']['lucene']['peak_mb']:,.0f} MB",
              f"{r['values']['postern']['peak_mb'] / r['values']['lucene']['peak_mb']:.2f}"] for r in records]
    return source_of(records, "bench/e2e/rss.py --lucene") + "\n\n" + markdown(["RAM buffer", "postern's peak", "Lucene's process", "ratio"], table)


def parts(found):
    """Name of the part -> Markdown, of what was measured."""
    makers = {"micro": micro, "rows": rows, "layouts": layouts, "growth": growth, "profile": profile, "cache": cache, "corpora": corpora,
              "json_lines": json_lines, "opensearch": opensearch, "rss": rss}
    made = {name: make(found[name]) for name, make in makers.items() if name in found}
    targets = report_targets.table(found)
    if targets:
        made["targets"] = ("## What was aimed at\n\nRatios to Lucene 10.4 on a warm JVM: the same documents, fields, RAM buffer and threads, the last flush "
                           "and the commit included; medians of the rounds.\n\n")
        made["targets"] += markdown(["what", "times as fast as (lowest–highest)", "at least", "aim", "reached"], targets)
    answer = report_answer.paragraph(found)
    if answer:
        made["answer"] = ("## The answer\n\nLucene keeps the bytes of terms in the same pool as their postings. Does a pool of their own pay?\n\n" + answer)
    return made
