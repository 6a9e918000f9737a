"""The answer to the question the project began with, in one paragraph of figures: do separate pools for terms and postings pay?"""
import common


def percent(numbers):
    """Lowest to highest of the medians."""
    n = sorted(100 * (x - 1) for x in numbers)
    return f"{n[0]:+.1f} to {n[-1]:+.1f} %" if len(n) > 1 else f"{n[0]:+.1f} %"


def micro_change(records, new, old):
    """Of each row with one thread, the median of the rounds' ratios."""
    rows = {}
    for r in records:
        if r["key"]["threads"] == 1:
            rows.setdefault((r["key"]["benchmark"], r["key"]["skew"]), []).append(r["values"]["ns"][new] / r["values"]["ns"][old])
    return [common.spread(v)["median"] for v in rows.values()]


def layout_gain(records, layout, cases):
    rows = {}
    for r in records:
        if r["key"]["case"] in cases:
            key = (r["key"]["corpus"], r["key"]["case"], r["key"]["threads"])
            rows.setdefault(key, []).append(r["values"]["shared"]["cpu_seconds"] / r["values"][layout]["cpu_seconds"])
    return [common.spread(v)["median"] for v in rows.values()]


def verdict(gains):
    """By the rule that less than 10 % is a tie on such machines."""
    above, below = sum(g >= 1.1 for g in gains), sum(g <= 1 / 1.1 for g in gains)
    if not above and not below:
        return f"a tie in all {len(gains)} cases"
    parts = [f"{n} better" for n in [above] if n] + [f"{n} worse" for n in [below] if n]
    return f"{' and '.join(parts)} by 10 % or more and {len(gains) - above - below} ties of {len(gains)} cases"


def misses(records, kind, layout, megabytes, stages):
    """Of the last level, per 1,000 adds; None if not measured."""
    for r in records:
        if (r["key"]["input"], r["key"]["layout"], r["key"]["megabytes"]) == (kind, layout, megabytes):
            v = r["values"]
            return 1000 * sum(v["stages"].get(s, {}).get(e, 0) for s in stages for e in ("DLmr", "DLmw")) / v["adds"]
    return None


def other_stages(records):
    """What separate pools change in writing slices and in the sort, with other work in between."""
    texts = []
    for label, stages in (("writing slices", ["seen-term path"]), ("the sort", ["sort", "histogram"])):
        parts = []
        for megabytes in sorted({r["key"]["megabytes"] for r in records}):
            pair = [misses(records, "fields", layout, megabytes, stages) for layout in ("lucene_shared", "lucene_separate")]
            if None not in pair:
                parts.append(f"{pair[0]:.1f} to {pair[1]:.1f} at {megabytes} MB")
        texts.append(f"of {label} go from " + ", ".join(parts))
    return "With separate pools the misses " + ", those ".join(texts) + "."


def saved(records, kind, megabytes, stages):
    """Misses per 1,000 adds that separate pools save in Lucene's layout, and the share of those of shared pools."""
    shared, separate = (misses(records, kind, layout, megabytes, stages) for layout in ("lucene_shared", "lucene_separate"))
    if shared is None or separate is None:
        return None
    return shared - separate, (shared - separate) / shared if shared else 0.0


def explanation(records):
    """Whether the counted misses show what the proposal's explanation predicts, for each size of the last level."""
    texts = []
    for megabytes in sorted({r["key"]["megabytes"] for r in records}):
        tight, fields = (saved(records, kind, megabytes, ["look-up"]) for kind in ("tight", "fields"))
        if tight is None or fields is None:
            continue
        dense = fields[0] >= 1 and fields[1] > 0.02
        evicted = dense and fields[0] > 1.1 * max(tight[0], 0)
        verdict = "both show" if evicted else "the density shows, the eviction does not" if dense else "neither shows"
        texts.append(f"at {megabytes} MB, separate pools save {fields[0]:.1f} misses in comparing terms per 1,000 adds ({100 * fields[1]:.1f} %) with other "
                     f"work in between and {tight[0]:.1f} ({100 * tight[1]:.1f} %) in the tight loop: {verdict}")
    return ("The proposal's explanation is that lines of a pool of their own are denser, and that this pays when other work evicts them. Counted, " + "; ".join(texts) + ".") if texts else ""


def paragraph(found):
    """None unless the micro benchmark, the layouts and the caches were all measured."""
    if not all(n in found for n in ("micro", "layouts", "cache")):
        return None
    micro, layouts = found["micro"], found["layouts"]
    measured = {r["key"]["case"] for r in layouts}
    if not any(r["key"]["threads"] == 1 for r in micro) or not {"body twice", "body off"} <= measured:
        return None
    bodies = ("body twice", "body once", "columns")
    return (f"In the tight loop of the microbenchmark (1 thread, all rows) a pool of its own for the text of terms changes the time of an add by "
            f"{percent(micro_change(micro, 'java_separate', 'java_shared'))} in Lucene's own classes, by "
            f"{percent(micro_change(micro, 'lucene_separate', 'lucene_shared'))} in Lucene's layout in C++ and by "
            f"{percent(micro_change(micro, 'separate', 'shared'))} in postern's. End to end, with a body, postern indexes "
            f"{percent(layout_gain(layouts, 'separate', bodies))} documents per CPU second more with separate pools than with shared ones, and "
            f"{percent(layout_gain(layouts, 'inline', bodies))} with short terms in the term's state; without a body "
            f"{percent(layout_gain(layouts, 'separate', ('body off',)))} and {percent(layout_gain(layouts, 'inline', ('body off',)))}. "
            f"If less than 10 % is called a tie, as the noise here demands, separate pools against shared ones are {verdict(layout_gain(layouts, 'separate', measured))}, "
            f"and short terms in the state {verdict(layout_gain(layouts, 'inline', measured))}. "
            + explanation(found["cache"]) + " " + other_stages(found["cache"]))
