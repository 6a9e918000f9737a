"""Inputs for the twin with the aspects beside the postings: points, doc values and term vectors, good and refused."""
from inputs import Raw, b64, below, delimited_text, english_text, pick, vocabulary

NUMBERS = ("int", "long", "float", "double")
VECTORS = ("yes", "with_positions", "with_offsets", "with_positions_offsets", "with_positions_payloads", "with_positions_offsets_payloads")


def schema():
    fields = [{"name": "id", "type": "keyword", "store": True}]
    for kind in NUMBERS:
        fields += [
            {"name": kind + "_all", "type": kind, "store": True, "doc_values": True},
            {"name": kind + "_one", "type": kind, "doc_values": "numeric", "doc_values_skip_index": True},
            {"name": kind + "_column", "type": kind, "index": False, "doc_values": True},
            {"name": kind + "_3d", "type": kind, "dims": 3, "index_dims": 2},
        ]
    fields += [
        {"name": "sorted", "type": "keyword", "doc_values": "sorted", "doc_values_skip_index": True},
        {"name": "tags", "type": "keyword", "doc_values": True, "store": True},
        {"name": "bytes", "type": "binary", "doc_values": True},
        {"name": "point", "type": "binary", "index": True, "bytes": 5},
        {"name": "vector_key", "type": "keyword", "term_vector": "with_positions", "doc_values": "binary"},
        {"name": "plain", "type": "text", "doc_values": "sorted_set"},
    ]
    fields += [{"name": "text_" + v, "type": "text", "term_vector": v, "analyzer": "delimited" if "payload" in v else "standard"}
               for v in VECTORS]
    return {"fields": fields}


def number(rng, kind, style):
    if kind in ("int", "long"):
        bits = 31 if kind == "int" else 63
        edges = [-2 ** bits, 2 ** bits - 1, 0, -1]
        return {"edges": lambda: pick(rng, edges), "few": lambda: below(rng, 4), "steps": lambda: -5000 + 1000 * below(rng, 300),
                "wide": lambda: below(rng, 2 ** bits)}[style]()
    special = ["NaN", "Infinity", "-Infinity", Raw("-0.0"), 0.0, Raw("1e-45"), Raw("4.9e-324")]
    return {"edges": lambda: pick(rng, special), "few": lambda: 0.5 * below(rng, 6), "steps": lambda: float(below(rng, 1000)),
            "wide": lambda: rng.random() * 1e6}[style]()


def value(rng, name, words, style):
    kind = name.split("_")[0]
    if name.endswith("_3d"):
        return [number(rng, kind, style) for _ in range(3)]
    if kind in NUMBERS:
        return number(rng, kind, style) if name.endswith("_one") else [number(rng, kind, style) for _ in range(1 + below(rng, 3))]
    if name in ("sorted", "vector_key"):
        return pick(rng, words)
    if name == "tags":
        return [pick(rng, words) for _ in range(1 + below(rng, 4))]
    if name == "bytes":
        return b64(below(rng, 256) for _ in range(pick(rng, [0, 3, 8, 8, 40])))
    if name == "point":
        return b64(below(rng, 4) for _ in range(5))
    text = delimited_text if "payload" in name else english_text
    return [text(rng, words, below(rng, 20)) for _ in range(1 + below(rng, 2))]


def refused(rng, words):
    """A field and values for which Lucene refuses the document, after some of it was indexed."""
    long = "x" * 32767
    return pick(rng, [("sorted", ["a", "b"]), ("tags", ["good", long, "late"]), ("int_one", [1, 2]), ("plain", ["good", "a " + long]),
                      ("bytes", ["AAAA", "AAAA"]), ("vector_key", long), ("text_with_positions_payloads", ["a|b c|d", "e f|" + "p" * 33000]),
                      ("text_with_positions_offsets", {"tokens": [{"t": "aa"}, {"t": "bb", "i": -1}]})])


def documents(rng, count, refuse):
    names = [f["name"] for f in schema()["fields"]][1:]
    words = vocabulary(rng, 300)
    styles = {name: pick(rng, ["edges", "few", "steps", "wide"]) for name in names}
    odds = {name: pick(rng, [1.0, 1.0, 0.5, 0.03]) for name in names}
    for i in range(count):
        pairs = [(name, value(rng, name, words, styles[name])) for name in names if rng.random() < odds[name]]
        if refuse and rng.random() < 0.1:
            bad = refused(rng, words)
            pairs = [pair for pair in pairs if pair[0] != bad[0]] + [bad]
        if i % 3 == 0:
            rng.shuffle(pairs)
        yield [("id", str(i))] + pairs
