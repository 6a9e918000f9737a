"""Columns whose values hit the edges of each encoding: sets of documents, widths of numbers, dictionaries, equal points.

Each shape is a function of the document's number that gives a value or None, so that what a column holds can be read off.
"""
from inputs import Raw, b64, below, pick

LONG_MIN, LONG_MAX = -2 ** 63, 2 ** 63 - 1
BLOCK = 65536  # documents of a block of a document set (docs/formats/20)
NUMBERS_BLOCK = 16384  # values of a block of numbers (docs/formats/22 §2.2)


def documents(shapes, count):
    for i in range(count):
        pairs = [(name, shape(i)) for name, shape in shapes.items()]
        yield [(name, value) for name, value in pairs if value is not None]


# ---- sets of documents: three blocks, so that there is a jump table ----

SET_DOCUMENTS = 2 * BLOCK + 5000
SETS = {  # how many documents of each block have a value
    "list_bits": (4095, 4096, 4095),
    "bits_list": (4096, 4095, 4096),
    "nearly_all": (65535, 65536, 4999),
    "all_none": (65536, 0, 5000),
    "none_all": (0, 65536, 1),
    "middle": (0, 1, 0),
    "ends": (1, 0, 1),
    "bits_none": (30000, 0, 4097),
}


def has_value(counts, i):
    """Spreads the documents over the block; the first and the last are left out where not all have one."""
    count, size = counts[i // BLOCK], min(BLOCK, SET_DOCUMENTS - i // BLOCK * BLOCK)
    place = i % BLOCK
    if count >= size:
        return True
    return (place + 1) * count // size != place * count // size if count < size - 1 else place != 0


def sets_schema():
    fields = []
    for n, name in enumerate(SETS):
        # The type changes with the set; each set is also that of the norms of a text.
        kind = ({"type": "long", "index": False, "doc_values": "numeric", "doc_values_skip_index": n % 2 == 0},
                {"type": "binary", "doc_values": True},
                {"type": "keyword", "index": False, "doc_values": "sorted", "doc_values_skip_index": n % 3 == 0},
                {"type": "int", "doc_values": "sorted_numeric"})[n % 4]
        fields.append({"name": name} | kind)
    return {"fields": fields + [{"name": "text_" + name, "type": "text", "index_options": "docs"} for name in ("list_bits", "nearly_all", "all_none")]}


def sets(rng, count):
    names = {f["name"]: f for f in sets_schema()["fields"]}

    def shape(name):
        counts = SETS[name.removeprefix("text_")]
        values = {"long": lambda i: i // 3 * 7, "binary": lambda i: "AAEC", "keyword": lambda i: "k%d" % (i % 37), "int": lambda i: [i % 5, 7],
                  "text": lambda i: "word " * (1 + i % 9)}[names[name]["type"]]
        return lambda i: values(i) if has_value(counts, i) else None

    return documents({name: shape(name) for name in names}, count or SET_DOCUMENTS)


# ---- numbers ----

NUMBER_DOCUMENTS = 2 * NUMBERS_BLOCK + 4321


def number_shapes(rng):
    noise = [rng.random() for _ in range(4096)]

    def wide(i, bits):
        return int(noise[i * 7 % 4096] * 2 ** 53) * 2053 % 2 ** bits if bits < 64 else LONG_MIN + int(noise[i % 4096] * 2 ** 53) * 2047

    def distinct(n):  # without a divisor that would make them small
        return lambda i: (i % n) ** 3 * 10 ** 9 + i % n - 77

    shapes = {
        "constant": lambda i: -5,
        "constant_far": lambda i: LONG_MIN,
        "zero_one": lambda i: i % 2,
        "table_2": lambda i: LONG_MAX if i % 3 else LONG_MIN,
        "table_255": distinct(255),
        "table_256": distinct(256),
        "table_257": distinct(257),
        "table_or_divisor": lambda i: i % 256 * (10 ** 15 + 1) - 5,
        "gcd_negative": lambda i: -5_000_000 + 1000 * (i * 31 % 100_000),
        "gcd_large": lambda i: (i * 17 % 70_001 - 35_000) * 2 ** 40,
        "gcd_last": lambda i: 1000 * i + (1 if i == NUMBER_DOCUMENTS - 1 else 0),
        "extremes": lambda i: (LONG_MIN, LONG_MAX, 0, -1, 1)[i % 5] + (i // 5 % 100 if i % 5 == 2 else 0),
        "extremes_wide": lambda i: (LONG_MIN + i, LONG_MAX - i)[i % 2],
        "half_range": lambda i: (2 ** 62 - 1 - i % 1000 * 2, -2 ** 62 + i % 1000 * 2)[i % 2],
        "beyond_half": lambda i: 2 ** 62 + 2 * (i % 1000),
        "from_zero": lambda i: 200 + i % 50,
        "not_from_zero": lambda i: 2 ** 20 + i % 5000,
        "ascending": lambda i: 10 ** 12 + i * 60_000,
        "blocks": lambda i: (i % 3 + 10 ** 9, 77, wide(i, 40))[i // NUMBERS_BLOCK],
        "blocks_gcd": lambda i: 24 * (i % 5 + 10 ** 6, wide(i, 40), -wide(i, 10))[i // NUMBERS_BLOCK],
        "blocks_equal": lambda i: (1, 1, 2 ** 50)[i // NUMBERS_BLOCK],
        "blocks_no_gain": lambda i: wide(i, 30) if i // NUMBERS_BLOCK != 1 else wide(i, 28),
        "runs": lambda i: i // 9000,
        "run_with_gap": lambda i: 3 if i % 9000 else None,
        "missing_at_both_ends": lambda i: i if 100 <= i < NUMBER_DOCUMENTS - 100 else None,
    }
    for bits in (2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64):
        shapes[f"width_{bits}"] = lambda i, bits=bits: wide(i, bits)
    return shapes


# What lucene_inspect must find in the columns, or the shapes above no longer do what they are there for.
NUMBERS_FOUND = {
    "constant": "constant -5", "constant_far": "constant -9223372036854775808", "table_2": "table of 2, width 1", "table_255": "table of 255, width 8",
    "table_256": "table of 256, width 8", "table_257": "packed, width 56, min -77, gcd 1", "table_or_divisor": "packed, width 8, min -5, gcd 1000000000000001",
    "gcd_negative": "min -5000000, gcd 1000", "gcd_large": "gcd 1099511627776", "extremes_wide": "width 64, min -9223372036854775808",
    "beyond_half": "gcd 1", "from_zero": "width 8, min 0", "not_from_zero": "width 16, min 1048576", "ascending": "gcd 60000",
    "blocks": "blocks of 2^14, widths [2, 0, 40], gcd 1", "blocks_gcd": "blocks of 2^14, widths [4, 40, 12], gcd 24", "blocks_equal": "widths [0, 0, 0]",
    "blocks_no_gain": "packed, width 32", "width_64": "width 64", "double_numeric": "table of 9", "several": "addresses", "sometimes_two": "addresses",
}
SETS_FOUND = {
    "list_bits": "{'sparse': 2, 'dense': 1, 'all': 0}", "bits_list": "{'sparse': 1, 'dense': 2, 'all': 0}",
    "nearly_all": "4 jump entries, rank 2^9, blocks {'sparse': 0, 'dense': 2, 'all': 1}", "all_none": "{'sparse': 0, 'dense': 1, 'all': 1}",
    "none_all": "{'sparse': 1, 'dense': 0, 'all': 1}", "middle": "3 jump entries", "ends": "{'sparse': 2, 'dense': 0, 'all': 0}",
}
POINTS_FOUND = {
    "equal_512": "1 leaves; doc ids {'continuous': 1}", "equal_513": "2 leaves; doc ids {'delta16': 1, 'continuous': 1}; values {'equal': 2}",
    "equal_10000": "20 leaves; doc ids {'continuous': 20}", "int_edges": "'bitset': 17", "random": "values {'dim0': 21}", "int_16_8": "dims 16/8",
}

DOUBLES = ["NaN", "Infinity", "-Infinity", Raw("-0.0"), 0.0, Raw("4.9e-324"), Raw("-4.9e-324"), Raw("1.7976931348623157e308"), 1.5]
FLOATS = ["NaN", "Infinity", "-Infinity", Raw("-0.0"), 0.0, Raw("1e-45"), Raw("-1e-45"), Raw("3.4028235e38"), 1.5]


def numbers_schema(rng):
    fields = []
    for n, name in enumerate(number_shapes(rng)):
        fields.append({"name": name, "type": "long", "index": n % 5 == 0, "doc_values": "numeric" if n % 2 else "sorted_numeric",
                       "doc_values_skip_index": n % 3 == 0})
    for kind in ("double", "float"):
        for values in ("numeric", "sorted_numeric"):
            fields.append({"name": f"{kind}_{values}", "type": kind, "doc_values": values, "doc_values_skip_index": True})
    return {"fields": fields + [{"name": "several", "type": "long", "index": False, "doc_values": True, "doc_values_skip_index": True},
                                {"name": "sometimes_two", "type": "int", "doc_values": True}]}


def numbers(rng, count):
    shapes = number_shapes(rng)
    for kind, special in (("double", DOUBLES), ("float", FLOATS)):
        shapes[f"{kind}_numeric"] = lambda i, special=special: special[i % len(special)]
        shapes[f"{kind}_sorted_numeric"] = lambda i, special=special: [special[i % len(special)]] + [special[i * 7 % len(special)]] * (i % 4 == 0)
    shapes["several"] = lambda i: [i % 7, 5 - i % 3, 5][:1 + i % 3]
    shapes["sometimes_two"] = lambda i: [9, i % 11] if i == 4000 else i % 11
    return documents(shapes, count or NUMBER_DOCUMENTS)


# ---- dictionaries and bytes ----

TERM_DOCUMENTS = 1100


def term_shapes(rng):
    prefix = "p" * 300
    longest = "y" * 32766
    texts = {
        "one": lambda i: "only",
        "empty": lambda i: "",
        "block_63": lambda i: "k%04d" % (i % 63),
        "block_64": lambda i: "k%04d" % (i % 64),
        "block_65": lambda i: "k%04d" % (i % 65),
        "index_1023": lambda i: "k%04d" % (i % 1023),
        "index_1024": lambda i: "k%04d" % (i % 1024),
        "index_1025": lambda i: "k%04d" % (i % 1025),
        "prefixes": lambda i: prefix[:i % 300] + "%x" % i,
        "nested": lambda i: "ab" * (i % 200),
        "longest": lambda i: longest[:32766 - i % 3] if i % 200 == 0 else "" if i % 2 else "m",
        "missing_at_both_ends": lambda i: "v%d" % (i % 300) if 20 <= i < TERM_DOCUMENTS - 20 else None,
        "high": lambda i: "\U0010ffff" * (i % 4) + chr(0xe000 + i % 50),
    }
    binaries = {
        "bytes_empty": lambda i: "",
        "bytes_fixed": lambda i: b64((i & 255, i >> 8)),
        "bytes_some_empty": lambda i: b64([7] * (i % 3)),
        "bytes_long": lambda i: b64([i & 255] * (40000 if i % 500 == 3 else i % 20)),
        "bytes_rare": lambda i: b64([1, 2]) if i % 97 == 5 else None,
    }
    return texts, binaries


def terms_schema(rng):
    texts, binaries = term_shapes(rng)
    fields = []
    for n, name in enumerate(texts):
        for kind in ("sorted", "sorted_set", "binary"):
            fields.append({"name": f"{name}_{kind}", "type": "keyword", "index": False, "doc_values": kind,
                           "doc_values_skip_index": kind != "binary" and n % 2 == 0})
    fields += [{"name": name, "type": "binary", "doc_values": True} for name in binaries]
    return {"fields": fields + [{"name": "set", "type": "keyword", "doc_values": True, "doc_values_skip_index": True},
                                {"name": "set_twice", "type": "keyword", "index": False, "doc_values": True}]}


def terms(rng, count):
    texts, binaries = term_shapes(rng)
    shapes = {f"{name}_{kind}": shape for name, shape in texts.items() for kind in ("sorted", "sorted_set", "binary")} | binaries
    shapes["set"] = lambda i: ["a", "a", "b"][:1 + i % 3] + ["c%d" % (i % 100)] * (i % 5 == 0)
    shapes["set_twice"] = lambda i: ["z%d" % (i % 70)] * 2
    return documents(shapes, count or TERM_DOCUMENTS)


ORDINALS_SCHEMA = {"fields": [{"name": "s", "type": "keyword", "index": False, "doc_values": True}]}


def ordinals(rng):
    """More than 2^20 distinct values, so that an ordinal takes 24 bits; the last document has as many as the others."""
    for i in range(66_000):
        yield [("s", ["%x" % ((i * 16 + k) * 2654435761 % 2 ** 32) for k in range(16)])]


# ---- points ----

POINT_DOCUMENTS = 10_600


def points_schema():
    one = [{"name": name, "type": kind} for name, kind in (
        ("equal_512", "int"), ("equal_513", "int"), ("equal_10000", "long"), ("equal_spread", "int"), ("int_edges", "int"), ("long_edges", "long"),
        ("floats", "float"), ("doubles", "double"), ("ascending", "long"), ("descending", "int"), ("random", "long"), ("several", "int"),
        ("single", "double"), ("low_cardinality", "int"), ("two_halves", "long"), ("far_apart", "int"))]
    many = [{"name": f"{kind}_{dims}_{index_dims}", "type": kind, "dims": dims, "index_dims": index_dims} for kind, dims, index_dims in (
        ("int", 2, 2), ("double", 2, 2), ("long", 3, 3), ("float", 4, 2), ("int", 8, 8), ("int", 16, 8), ("long", 5, 1))]
    # Several points a document that tie in the dimension they are sorted by: their order is that of Lucene's algorithms alone.
    many += [{"name": f"ties_{dims}_{index_dims}", "type": "int", "dims": dims, "index_dims": index_dims} for dims, index_dims in (
        (2, 2), (3, 3), (4, 2), (8, 8), (3, 1))]
    many += [{"name": "ties_one_document", "type": "int", "dims": 3}, {"name": "ties_first_documents", "type": "int", "dims": 2}]
    return {"fields": one + many + [{"name": "bytes_1", "type": "binary", "index": True, "bytes": 1},
                                    {"name": "bytes_16", "type": "binary", "index": True, "bytes": 16}]}


def tie_points(rng, dims, most):
    return [[below(rng, (3, 900, 40, 70_000)[d % 4]) for d in range(dims)] for _ in range(most if most > 4 else 1 + below(rng, most))]


def points(rng, count):
    int_edges = (-2 ** 31, 2 ** 31 - 1, 0, -1, 1)
    long_edges = (LONG_MIN, LONG_MAX, 0, -1, 1)
    noise = [rng.random() for _ in range(POINT_DOCUMENTS * 3)]
    shapes = {
        "equal_512": lambda i: 7 if i < 512 else None,
        "equal_513": lambda i: 7 if i % 20 == 0 and i < 513 * 20 else None,
        "equal_10000": lambda i: -7 if i < 10_000 else None,
        "equal_spread": lambda i: 1 if i % 2 else i,
        "int_edges": lambda i: int_edges[i % 5],
        "long_edges": lambda i: [long_edges[i % 5], long_edges[i % 3]],
        "floats": lambda i: FLOATS[i % 9],
        "doubles": lambda i: [DOUBLES[i % 9], DOUBLES[i * 5 % 9]],
        "ascending": lambda i: i,
        "descending": lambda i: -i,
        "random": lambda i: int((noise[i] - 0.5) * 2 ** 63),
        "several": lambda i: [i % 50, i % 7, i % 50],
        "single": lambda i: 2.5 if i == 5000 else None,
        "low_cardinality": lambda i: i * 13 % 7,
        "two_halves": lambda i: i % 2 * 2 ** 40,
        "far_apart": lambda i: i % 3 if i % 21 == 0 else None,
        "bytes_1": lambda i: b64([i * 7 & 255]),
        "bytes_16": lambda i: b64([i >> 8, i & 255] + [0] * 13 + [i % 3]),
    }
    for field in points_schema()["fields"]:
        dims = field.get("dims", 1)
        if field["name"].startswith("ties"):
            of_documents = {"ties_one_document": range(77, 78), "ties_first_documents": range(2000)}.get(field["name"], range(1, POINT_DOCUMENTS, 4))
            shapes[field["name"]] = lambda i, dims=dims, chosen=of_documents: i in chosen and tie_points(rng, dims, 3000 if len(chosen) == 1 else 4) or None
        elif dims > 1:
            shapes[field["name"]] = lambda i, dims=dims: [(i * (d + 3) * 31 + int(noise[i + d] * 40)) % (1000, 7, 50_000, 2)[d % 4] for d in range(dims)]
    return documents(shapes, count or POINT_DOCUMENTS)


# ---- term vectors ----

VECTORS = ("yes", "with_positions", "with_offsets", "with_positions_offsets", "with_positions_payloads", "with_positions_offsets_payloads")


def vectors_schema():
    fields = [{"name": "id", "type": "keyword", "store": True}, {"name": "plain", "type": "text"}, {"name": "key", "type": "keyword", "term_vector": "yes"}]
    for vectors in VECTORS:
        fields.append({"name": vectors, "type": "text", "term_vector": vectors, "analyzer": "delimited" if "payload" in vectors else "whitespace",
                       "position_increment_gap": 3, "index_options": "offsets" if vectors == "with_offsets" else "positions"})
    return {"fields": fields}


def vector_text(rng, payloads, tokens):
    words = (f"w{int(rng.random() ** 3 * 900)}" for _ in range(tokens))
    return " ".join(w + "|" + "p" * below(rng, 6) if payloads and rng.random() < 0.5 else w for w in words)


def vectors(rng, count):
    """Runs of documents without vectors, huge documents, documents that fail after some of their vectors, many values."""
    for i in range(count):
        pairs = [("id", str(i)), ("plain", vector_text(rng, False, below(rng, 12)))]
        if i // 40 % 3 != 1:
            chosen = [v for v in VECTORS if rng.random() < 0.4]
            for name in chosen:
                size = 9000 if i % 130 == 17 and name == chosen[0] else below(rng, 25)
                pairs.append((name, [vector_text(rng, "payload" in name, size) for _ in range(1 + below(rng, 3))]))
            if rng.random() < 0.3:
                pairs.append(("key", [pick(rng, ["", "k", "longer key"])] * (1 + below(rng, 2))))
        if i % 9 == 4:
            at = 1 + below(rng, len(pairs))
            bad = pick(rng, [("key", "x" * 32767), ("with_positions", {"tokens": [{"t": "aa"}, {"t": "bb", "i": -1}]}),
                             ("with_positions_offsets", {"tokens": [{"t": "aa", "s": 5, "e": 6}, {"t": "bb", "s": 0, "e": 1}]}),
                             ("with_positions_payloads", ["good|p", "x" * 33000])])
            pairs = [p for p in pairs[:at] if p[0] != bad[0]] + [bad] + [p for p in pairs[at:] if p[0] != bad[0]]
        yield pairs
