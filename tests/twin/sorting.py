"""Inputs for the twin with an index sort: every kind of key, documents of every aspect, blocks, refused documents, soft deletes."""
from inputs import Raw, b64, below, delimited_text, english_text, pick, vocabulary

NUMBERS = ("int", "long", "float", "double")
# Key field: type and doc values.
KEYS = {kind: (kind, "numeric") for kind in NUMBERS}
KEYS.update({kind + "s": (kind, "sorted_numeric") for kind in NUMBERS})
KEYS.update({"word": ("keyword", "sorted"), "words": ("keyword", "sorted_set")})


def key(field, order="asc", missing="_last", mode="min"):
    return {"field": field, "order": order, "missing": missing, "mode": mode}


def sorts():
    """Name and keys of each sort that is tried: every key field in both directions, missing at both ends, and several keys."""
    out = []
    for i, field in enumerate(KEYS):
        mode = ("min", "max")[i % 2]
        out.append((f"{field}_up", [key(field, "asc", ("_last", "_first")[i // 2 % 2], mode)]))
        out.append((f"{field}_down", [key(field, "desc", ("_first", "_last")[i // 2 % 2], ("max", "min")[i % 2])]))
    out.append(("two_keys", [key("tie"), key("double", "desc")]))
    out.append(("three_keys", [key("words", "desc", "_first", "max"), key("tie", "desc"), key("ints", mode="max")]))
    out.append(("absent_key", [key("never")]))
    out.append(("arrival", [key("serial")]))
    out.append(("reversed", [key("serial", "desc")]))
    return out


def schema(sort, parent=None, soft=None):
    fields = [{"name": "id", "type": "keyword", "store": True},
              {"name": "tie", "type": "int", "index": False, "doc_values": "numeric"},
              {"name": "never", "type": "long", "index": False, "doc_values": "numeric"},
              {"name": "serial", "type": "long", "index": False, "doc_values": "sorted_numeric"}]
    fields += [{"name": name, "type": kind, "index": False, "doc_values": values, "store": name in ("int", "word")}
               for name, (kind, values) in KEYS.items()]
    fields += [
        {"name": "body", "type": "text", "store": True},
        {"name": "docs", "type": "text", "index_options": "docs"},
        {"name": "freqs", "type": "text", "index_options": "freqs"},
        {"name": "offsets", "type": "text", "index_options": "offsets", "term_vector": "with_positions_offsets"},
        {"name": "payloads", "type": "text", "analyzer": "delimited", "term_vector": "with_positions_payloads"},
        {"name": "everything", "type": "text", "analyzer": "delimited", "index_options": "offsets",
         "term_vector": "with_positions_offsets_payloads"},
        {"name": "vector", "type": "text", "norms": False, "index_options": "docs", "term_vector": "yes"},
        {"name": "number", "type": "long", "store": True, "doc_values": True, "doc_values_skip_index": True},
        {"name": "place", "type": "int", "dims": 2},
        {"name": "tags", "type": "keyword", "doc_values": True, "doc_values_skip_index": True},
        {"name": "bytes", "type": "binary", "doc_values": True, "store": True},
        {"name": "gone", "type": "long", "index": False, "doc_values": "numeric"},
    ]
    out = {"fields": fields}
    if sort:
        out["index_sort"] = sort
    if parent:
        out["parent_field"] = parent
    if soft:
        out["soft_deletes_field"] = soft
    return out


def key_value(rng, name, words):
    kind, values = KEYS[name]
    if kind == "keyword":
        one = lambda: pick(rng, words[:pick(rng, [2, 40])])  # noqa: E731
    elif kind in ("int", "long"):
        bits = 31 if kind == "int" else 63
        one = lambda: pick(rng, [below(rng, 4), -3 + below(rng, 200), pick(rng, [-2 ** bits, 2 ** bits - 1])])  # noqa: E731
    else:
        special = ["NaN", "Infinity", "-Infinity", Raw("-0.0"), 0.0, Raw("1e-45"), Raw("-1e30")]
        one = lambda: pick(rng, [pick(rng, special), 0.5 * below(rng, 6), rng.random() - 0.5])  # noqa: E731
    return one() if values in ("numeric", "sorted") else [one() for _ in range(1 + below(rng, 3))]


def value(rng, name, words):
    if name == "number":
        return [below(rng, 1000) for _ in range(1 + below(rng, 2))]
    if name == "place":
        return [[below(rng, 50), below(rng, 50)] for _ in range(1 + below(rng, 2))]
    if name == "tags":
        return [pick(rng, words) for _ in range(1 + below(rng, 4))]
    if name == "bytes":
        return b64(below(rng, 256) for _ in range(pick(rng, [0, 3, 8, 8, 40])))
    text = delimited_text if name in ("payloads", "everything") else english_text
    return [text(rng, words, below(rng, 25)) for _ in range(1 + below(rng, 2))]


ASPECTS = ("body", "docs", "freqs", "offsets", "payloads", "everything", "vector", "number", "place", "tags", "bytes")


def refused(rng):
    """A field and values for which Lucene refuses the document, after some of it was indexed."""
    long = "x" * 32767
    return pick(rng, [("word", ["a", "b"]), ("tags", ["good", long, "late"]), ("int", [1, 2]), ("bytes", ["AAAA", "AAAA"]),
                      ("payloads", ["a|b c|d", {"str": "", "tokens": [{"t": "x", "i": -1}]}])])


def document(rng, i, words, odds):
    pairs = [("id", str(i)), ("tie", below(rng, 5)), ("serial", i // 3)]
    pairs += [(name, key_value(rng, name, words)) for name in KEYS if rng.random() < odds[name]]
    pairs += [(name, value(rng, name, words)) for name in ASPECTS if rng.random() < odds[name]]
    if i % 4 == 0:
        rng.shuffle(pairs)
    return pairs


def documents(rng, count, refuse=0.0, blocks=0.0, soft=0.0):
    """The last of them is good and alone: Lucene cannot sort a segment that ends within a refused block."""
    words = vocabulary(rng, 200)
    odds = {name: pick(rng, [1.0, 0.7, 0.7, 0.1]) for name in (*KEYS, *ASPECTS)}
    i = 0

    def one(may_fail):
        nonlocal i
        pairs = document(rng, i, words, odds)
        i += 1
        if rng.random() < soft:
            pairs.append(("gone", 1))
        if may_fail and rng.random() < refuse:
            bad = refused(rng)
            pairs = [pair for pair in pairs if pair[0] != bad[0]] + [bad]
            rng.shuffle(pairs)
        return pairs

    while i < count:
        if rng.random() < blocks:
            block = [dict(one(True)) for _ in range(1 + below(rng, 5))]
            yield {"op": "add", "docs": block}
        else:
            yield one(True)
    yield one(False)


def long_lists(rng, count):
    """Long postings lists with impacts and skip data, long columns, points of several leaves."""
    words = vocabulary(rng, 300)
    for i in range(count):
        yield [("id", str(i)), ("tie", below(rng, 5)), ("int", below(rng, 100000)), ("body", english_text(rng, words, below(rng, 12))),
               ("payloads", delimited_text(rng, words, below(rng, 6))), ("number", [below(rng, 1000)]), ("tags", [pick(rng, words)])]
