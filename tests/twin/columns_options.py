"""Every combination of the options of a field, for every type: a schema draws some of them, seeded, and documents fill it."""
import itertools

import columns
from inputs import b64, below, delimited_text, english_text, pick, vocabulary

INDEX_OPTIONS = ("none", "docs", "freqs", "positions", "offsets")
TERM_DOC_VALUES = ("none", "sorted", "sorted_set", "binary")


def with_doc_values(kinds):
    """(doc_values, skip index) for each type of doc values; binary ones have no skip index."""
    return [(kind, skip) for kind in kinds for skip in ((False, True) if kind not in ("none", "binary") else (False,))]


def term_fields():
    """text and keyword: what is indexed, stored, normed, kept as vectors and as columns."""
    for kind, options, store, norms, vectors, (values, skip) in itertools.product(
            ("text", "keyword"), INDEX_OPTIONS, (False, True), (False, True), ("no",) + columns.VECTORS, with_doc_values(TERM_DOC_VALUES)):
        if options == "none" and (norms or vectors != "no" or (not store and values == "none")):
            continue
        field = {"type": kind, "index_options": options, "store": store, "norms": norms, "term_vector": vectors,
                 "doc_values": values, "doc_values_skip_index": skip}
        if kind == "text":
            field["analyzer"] = "delimited" if "payload" in vectors else "standard"
            if not vectors.endswith("offsets"):
                field["position_increment_gap"] = 7
        yield field


def number_fields():
    for kind, index, store, (values, skip) in itertools.product(
            columns.NUMBERS, (False, True), (False, True), with_doc_values(("none", "numeric", "sorted_numeric"))):
        if index or store or values != "none":
            yield {"type": kind, "index": index, "store": store, "doc_values": values, "doc_values_skip_index": skip}
    for kind in columns.NUMBERS:
        for dims in range(2, 17):
            for index_dims in {1, 2, min(dims, 8), (min(dims, 8) + 1) // 2}:
                yield {"type": kind, "dims": dims, "index_dims": index_dims}


def binary_fields():
    for width, store, (values, skip) in itertools.product((0, 1, 2, 3, 4, 7, 8, 16), (False, True), with_doc_values(TERM_DOC_VALUES)):
        if width or store or values != "none":
            field = {"type": "binary", "store": store, "doc_values": values, "doc_values_skip_index": skip}
            yield field | ({"index": True, "bytes": width} if width else {})


def combinations():
    """All of them, named by their place."""
    fields = list(term_fields()) + list(number_fields()) + list(binary_fields())
    return [{"name": f"{field['type']}{i}"} | field for i, field in enumerate(fields)]


def schema(rng, count):
    """`count` of all combinations, or all of them."""
    fields = combinations()
    rng.shuffle(fields)
    return {"fields": [{"name": "id", "type": "keyword", "store": True}] + fields[:count]}


def one_value(rng, field, words):
    kind = field["type"]
    if kind in columns.NUMBERS:
        style = pick(rng, ["edges", "few", "steps", "wide"])
        if field.get("dims", 1) > 1:
            return [columns.number(rng, kind, style) for _ in range(field["dims"])]
        return columns.number(rng, kind, style)
    if kind == "binary":
        return b64(below(rng, pick(rng, [2, 256])) for _ in range(field.get("bytes") or below(rng, 12)))
    if kind == "keyword":
        return pick(rng, words + ["", "é", "\U0001f600"])
    text = delimited_text if field["analyzer"] == "delimited" else english_text
    return text(rng, words, below(rng, 9))


def documents(rng, fields, count):
    words = vocabulary(rng, 120)
    odds = [pick(rng, [1.0, 0.4, 0.1, 0.02]) for _ in fields]
    for i in range(count):
        pairs = [("id", str(i))]
        for field, odd in zip(fields[1:], odds):
            if rng.random() >= odd:
                continue
            single = field.get("doc_values") in ("numeric", "sorted", "binary") or field.get("dims", 1) > 1
            values = [one_value(rng, field, words) for _ in range(1 if single else 1 + below(rng, 3))]
            pairs.append((field["name"], values[0] if len(values) == 1 else values))
        yield pairs
