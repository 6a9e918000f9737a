"""The plots of docs/benchmarks.md."""
import python_packages

python_packages.need("matplotlib")

import matplotlib  # noqa: E402

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

import common  # noqa: E402
import report_tables as tables  # noqa: E402

INK = "#808890"  # readable on white and on black
COLORS = {"java_shared": "#9a6ad6", "java_separate": "#c3a4ea", "lucene_shared": "#d9822b", "lucene_separate": "#f0b36f", "shared": "#2f86c5",
          "separate": "#55b0de", "inline": "#2fa36b", "postern": "#2fa36b", "lucene": "#9a6ad6", "tantivy": "#d9822b"}


def style():
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "postern", "figure.facecolor": "none", "axes.facecolor": "none", "text.color": INK,
                         "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "grid.color": INK, "grid.alpha": 0.25,
                         "axes.grid": True, "axes.axisbelow": True, "legend.frameon": False, "font.size": 10, "savefig.transparent": True})


def save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(folder / name, format="svg", metadata={"Date": None})
    plt.close(figure)
    return name


def median(numbers):
    return common.spread(numbers)["median"]


def bars(axis, groups, series, value):
    """Groups of bars side by side."""
    width = 0.8 / len(series)
    for i, name in enumerate(series):
        axis.bar([g + (i - (len(series) - 1) / 2) * width for g in range(len(groups))], [value(group, name) for group in groups], width,
                 label=name, color=COLORS[name])
    axis.set_xticks(range(len(groups)), [str(g) for g in groups])
    axis.grid(axis="x", visible=False)


def micro(records, folder):
    of = tables.groups(records, "threads", "benchmark", "skew")
    figure, axes = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
    for axis, benchmark in zip(axes, ("indexSegment", "indexSegmentAndSort")):
        skews = [s for t, b, s in of if t == 1 and b == benchmark]
        bars(axis, skews, tables.LAYOUTS, lambda skew, name: median(v["ns"][name] for v in of[1, benchmark, skew]))
        axis.set(title=f"{benchmark}, 1 thread", xlabel="skew", ylabel="ns per add" if axis is axes[0] else "")
    axes[0].legend(fontsize=8)
    return [("ns per add by layout", save(figure, folder, "micro.svg"))]


def rows(records, folder):
    of = {name: v for (name,), v in tables.groups(records, "row").items() if "postern" in v[0]}
    figure, axis = plt.subplots(figsize=(9, 0.45 * len(of) + 1.2))
    for i, values in enumerate(of.values()):
        for k, engine in enumerate(e for e in ("lucene", "tantivy") if e in values[0]):
            spread = common.spread(v[engine]["seconds"] / v["postern"]["seconds"] for v in values)
            y = -i + 0.16 * (1 - 2 * k)
            axis.plot([spread["lowest"], spread["highest"]], [y, y], color=COLORS[engine], linewidth=2)
            axis.plot(spread["median"], y, "o", color=COLORS[engine], label=f"than {engine}" if i == 0 else None)
    axis.set_yticks([-i for i in range(len(of))], list(of))
    axis.set(xlabel="postern is so many times as fast (median, lowest to highest round)", xlim=(0, None))
    axis.axvline(1, color=INK, linewidth=1)
    axis.legend()
    return [("Times as fast as Lucene and tantivy", save(figure, folder, "rows.svg"))]


def layouts(records, folder):
    of = tables.groups(records, "corpus", "case", "threads")
    figure, axis = plt.subplots(figsize=(9, 0.45 * len(of) + 1.2))
    for i, values in enumerate(of.values()):
        for k, layout in enumerate(("separate", "inline")):
            changes = sorted(100 * (v["shared"]["cpu_seconds"] / v[layout]["cpu_seconds"] - 1) for v in values)
            y = -i + 0.16 * (1 - 2 * k)
            axis.plot([changes[len(changes) // 4], changes[(3 * len(changes)) // 4]], [y, y], color=COLORS[layout], linewidth=2)
            axis.plot(median(changes), y, "o", color=COLORS[layout], label=layout if i == 0 else None)
    axis.set_yticks([-i for i in range(len(of))], [", ".join(map(str, key)) for key in of])
    axis.set(xlabel="docs per CPU second against shared pools, % (median, quartiles)")
    axis.axvline(0, color=INK, linewidth=1)
    axis.legend()
    return [("Layouts against shared pools", save(figure, folder, "layouts.svg"))]


def growth(records, folder):
    of = tables.groups(records, "kind", "size", "pools")
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.6))
    for axis, kind in zip(axes, ("documents", "words")):
        for pools in dict.fromkeys(p for k, _, p in of if k == kind):
            points = [(size, median(v["docs"] / v["seconds"] for v in values)) for (k, size, p), values in of.items() if (k, p) == (kind, pools)]
            axis.plot(*zip(*sorted(points)), "o-", label=pools, color=COLORS[pools])
        axis.set(xscale="log", xlabel="documents" if kind == "documents" else "distinct words", ylabel="docs/s", ylim=(0, None))
        axis.legend()
    return [("docs/s by number of documents and by vocabulary", save(figure, folder, "growth.svg"))]


def profile(records, folder):
    figure, axis = plt.subplots(figsize=(11, 0.5 * len(records) + 2.4))
    total = {}
    for r in records:
        for stage, n in r["values"]["stages"].items():
            total[stage] = total.get(stage, 0) + n / r["values"]["samples"]
    palette = plt.get_cmap("tab20")
    left = [0.0] * len(records)
    for i, stage in enumerate(sorted(total, key=lambda s: -total[s])):
        shares = [100 * r["values"]["stages"].get(stage, 0) / r["values"]["samples"] for r in records]
        axis.barh(range(len(records)), shares, left=left, color=palette(i % 20), label=stage)
        left = [a + b for a, b in zip(left, shares)]
    axis.set_yticks(range(len(records)), [f"{r['key']['corpus']}, {r['key']['layout']}, {r['key']['threads']}" for r in records])
    axis.invert_yaxis()
    axis.set(title="% of CPU samples", xlim=(0, 100))
    axis.legend(fontsize=7, ncols=4, loc="upper center", bbox_to_anchor=(0.45, -0.12))
    return [("Shares of CPU time by stage", save(figure, folder, "profile.svg"))]


def cache(records, folder):
    inputs = list(dict.fromkeys(r["key"]["input"] for r in records))
    figure, axes = plt.subplots(1, len(inputs), figsize=(4 * len(inputs), 3.6), squeeze=False, sharey=True)
    for axis, kind in zip(axes[0], inputs):
        for layout in dict.fromkeys(r["key"]["layout"] for r in records):
            points = [(r["key"]["megabytes"], 1000 * sum(r["values"]["stages"].get("look-up", {}).get(e, 0) for e in ("DLmr", "DLmw")) / r["values"]["adds"])
                      for r in records if (r["key"]["input"], r["key"]["layout"]) == (kind, layout)]
            axis.plot(*zip(*sorted(points)), "o-", label=layout, color=COLORS[layout])
        axis.set(xscale="log", title=kind, xlabel="last level, MB", ylim=(0, None))
        sizes = sorted({r["key"]["megabytes"] for r in records})
        axis.set_xticks(sizes, [str(n) for n in sizes])
        axis.minorticks_off()
    axes[0][0].set_ylabel("misses in look-up per 1,000 adds")
    axes[0][0].legend(fontsize=8)
    return [("Misses of the last level in term look-up", save(figure, folder, "cache.svg"))]


def write_all(found, folder):
    """Part -> (title, file) of its plots."""
    style()
    makers = {"micro": micro, "rows": rows, "layouts": layouts, "growth": growth, "profile": profile, "cache": cache}
    return {name: make(found[name], folder) for name, make in makers.items() if name in found}
