"""What the project set out to reach, beside what was measured."""
import common


def ratios(numbers):
    return common.spread(list(numbers))


def row_ratio(records, row, other, key="seconds"):
    values = [r["values"] for r in records if r["key"]["row"] == row]
    values = [v for v in values if other in v and key in v[other]]
    return ratios(v[other][key] / v["postern"][key] for v in values) if values else None


def micro_ratio(records):
    """Of the row with one thread in which postern is least ahead."""
    rows = {}
    for r in records:
        if r["key"]["threads"] == 1:
            rows.setdefault((r["key"]["benchmark"], r["key"]["skew"]), []).append(r["values"]["ns"]["java_shared"] / r["values"]["ns"]["inline"])
    return min((ratios(v) for v in rows.values()), key=lambda s: s["median"], default=None)


def memory_ratio(records):
    found = [r["values"]["postern"]["peak_mb"] / r["values"]["lucene"]["peak_mb"] for r in records]
    return ratios(found) if found else None


def size_ratio(records):
    """Index bytes, of rows in which both wrote the same number of segments."""
    found = [r["values"]["postern"]["index_bytes"] / r["values"]["lucene"]["index_bytes"] for r in records
             if "postern" in r["values"] and "lucene" in r["values"] and r["values"]["postern"]["segments"] == r["values"]["lucene"]["segments"]]
    return ratios(found) if found else None


def json_ratio(records):
    found = [r["values"]["lucene"]["seconds"] / r["values"]["postern"]["seconds"] for r in records if r["key"]["threads"] == 1]
    return ratios(found) if found else None


def opensearch_ratio(records):
    """Of the kind of documents in which postern is least ahead."""
    cases = {}
    for r in records:
        if r["key"]["restore_limit"] != "0":
            continue
        cases.setdefault(r["key"]["case"], []).append(r["values"]["bulk"]["seconds"] / r["values"]["postern"]["seconds"])
    return min(map(ratios, cases.values()), key=lambda s: s["median"], default=None)


# What; where from; at least; aim. A limit below 1.5 is an upper one.
END_TO_END = [
    ("real text, body once, 1 thread", "real, body once", "lucene", 4.5, 8),
    ("the same, against tantivy", "real, body once", "tantivy", 3, None),
    ("synthetic, body once, 1 thread", "synth, body once", "lucene", 4.5, 8),
    ("synthetic, body twice, 1 thread", "synth, body twice", "lucene", 4.5, 8),
    ("real text, body once, 2 threads", "real, body once, 2 threads", "lucene", 5, 9),
    ("synthetic, body once, 2 threads", "synth, body once, 2 threads", "lucene", 5, 9),
    ("synthetic, body twice, 2 threads", "synth, body twice, 2 threads", "lucene", 5, 9),
    ("body off", "real, body off", "lucene", 4, 8),
    ("with doc values and points", "real, with columns", "lucene", 4, 7),
]


def measured(found):
    """(what, spread or None, at least, aim)."""
    rows = found.get("rows", [])
    result = [(what, row_ratio(rows, row, other), least, aim) for what, row, other, least, aim in END_TO_END]
    result.append(("microbenchmark, the row least ahead, 1 thread", micro_ratio(found.get("micro", [])), 4, 8))
    result.append(("flush of 300,000 documents", row_ratio(rows, "synth, flush of 300,000 documents", "lucene", "flush_seconds"), 4, 8))
    result.append(("peak memory, of that of Lucene's process", memory_ratio(found.get("rss", [])), 0.6, 0.4))
    result.append(("index size, of Lucene's", size_ratio(rows), 1.01, 1.0))
    result.append(("`postern index` from JSON Lines, 1 thread", json_ratio(found.get("json_lines", [])), 5, 8))
    result.append(("a searchable OpenSearch index, against `_bulk`", opensearch_ratio(found.get("opensearch", [])), 5, None))
    return result


def table(found):
    """Cells of the rows that were measured."""
    cells = []
    for what, spread, least, aim in measured(found):
        if spread is None:
            continue
        upper = least < 1.5
        reaches = lambda limit: limit is not None and (spread["median"] <= limit + 5e-4 if upper else spread["median"] >= limit)  # noqa: E731,B023
        digits = 3 if upper else 2
        cells.append([what, f"{spread['median']:.{digits}f} ({spread['lowest']:.{digits}f}–{spread['highest']:.{digits}f})", ("≤ " if upper else "") + str(least),
                      "" if aim is None else aim, "the aim" if reaches(aim) else "yes" if reaches(least) else "no"])
    return cells
