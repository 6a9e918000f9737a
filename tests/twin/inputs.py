"""Inputs for the twin: every function yields lines of a JSON Lines file, from a seeded generator.

A document is a list of (key, value) pairs (keys may repeat) or a dict (also for operations). Raw("1.50") writes a number as
spelled.
"""
import base64
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
from make_inputs import below, pick, text, vocabulary, zipf  # noqa: E402
import make_inputs  # noqa: E402

ANALYZERS = ("standard", "whitespace", "keyword", "simple", "stop", "english", "delimited")
OPTIONS = ("docs", "freqs", "positions", "offsets")
RAW = re.compile(r'"\\u0000raw:([^"]*)"')


def Raw(spelling):
    return "\0raw:" + spelling


def to_line(document, ascii_only=True):
    pairs = document if isinstance(document, list) else list(document.items())
    body = ", ".join(json.dumps(k, ensure_ascii=ascii_only) + ": " + json.dumps(v, ensure_ascii=ascii_only) for k, v in pairs)
    return RAW.sub(r"\1", "{" + body + "}")


def b64(data):
    return base64.b64encode(bytes(data)).decode()


# ---- words ----

RANGES = ((0x20, 0x7e), (0xa0, 0x24f), (0x370, 0x5ff), (0x600, 0x6ff), (0x900, 0xdff), (0xe00, 0xe7f), (0x1100, 0x11ff), (0x1e00, 0x206f),
          (0x3040, 0x30ff), (0x4e00, 0x4eff), (0xac00, 0xadff), (0xfe00, 0xfeff), (0xff00, 0xffef), (0x10000, 0x100ff), (0x1d400, 0x1d7ff),
          (0x1f1e6, 0x1f1ff), (0x1f300, 0x1f6ff), (0x20000, 0x200ff), (0xe0100, 0xe01ef))
SPECIAL = ["\u0130", "\u0131", "\u1e9e", "\u03c2", "\u200d", "\ufeff", "\ufffd", "\x00", "\x0b", "\x85", "\u2028", "'", "\u2019", ".", ",", ":", "_",
           "1", "2", "\u0660", "a", "B", "\r", "\t", "\u0300", "\ufe0f", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u05d0\"", "\u3000"]


def wild_text(rng, length):
    out = []
    while len(out) < length:
        kind = rng.random()
        if kind < 0.25:
            out.append(pick(rng, SPECIAL))
        elif kind < 0.5:
            low, high = pick(rng, RANGES)
            out.extend(chr(low + below(rng, high - low + 1)) for _ in range(1 + below(rng, 6)))
        elif kind < 0.97:
            out.append(pick(rng, ["x", "Foo", " ", " ", "'s ", "3.14", "a.b", "Ωmega", "中文", "가나", "don't", "-"]))
        else:
            out.append(chr(0xd800 + below(rng, 0x800)))
    return "".join(out)


def english_text(rng, words, length):
    out = []
    for _ in range(length):
        word = zipf(rng, words)
        kind = rng.random()
        if kind < 0.1:
            word = pick(rng, ["the", "of", "and", "a", "is", "The", "WAS", "it", "into", "such"])
        elif kind < 0.2:
            word += pick(rng, ["ing", "ness", "ational", "ed", "s", "'s", "ies", "fully"])
        elif kind < 0.25:
            word = word.upper()
        out.append(word + pick(rng, ["", "", "", ",", ".", "!", "-", " ", "\t"]))
    return " ".join(out)


def delimited_text(rng, words, length):
    return " ".join(zipf(rng, words) + pick(rng, ["", "", "|", "|" + pick(rng, words), "|a|b", "|é"]) for _ in range(length))


# ---- cases ----


def options_schema():
    fields = []
    for a, analyzer in enumerate(ANALYZERS):
        for o, options in enumerate(OPTIONS):
            for norms in (True, False):
                n = a + o + norms
                fields.append({"name": f"{analyzer}_{options}_{'norms' if norms else 'bare'}", "type": "text", "analyzer": analyzer,
                               "index_options": options, "norms": norms, "store": n % 3 == 0,
                               "position_increment_gap": (0, 1, 100)[n % 3], "offset_gap": (1, 0, 7)[n % 3]})
    for options in ("docs", "freqs"):
        for norms in (True, False):
            fields.append({"name": f"weights_{options}_{'norms' if norms else 'bare'}", "type": "text", "analyzer": "delimited_freq",
                           "index_options": options, "norms": norms})
    for options in ("none", "docs"):
        fields.append({"name": f"key_{options}", "type": "keyword", "index_options": options, "store": True})
    fields += [
        {"name": "key_freqs", "type": "keyword", "index_options": "freqs"},
        {"name": "key_norms", "type": "keyword", "norms": True},
        {"name": "key_unindexed", "type": "keyword", "index": False, "store": True},
        {"name": "text_unindexed", "type": "text", "index": False, "store": True},
        {"name": "short_tokens", "type": "text", "max_token_length": 5, "index_options": "offsets"},
        {"name": "short_words", "type": "text", "analyzer": "whitespace", "max_token_length": 3, "index_options": "offsets"},
        {"name": "stopped", "type": "text", "stopwords": ["foo", "x"], "index_options": "offsets", "position_increment_gap": 10},
        {"name": "unstopped", "type": "text", "analyzer": "english", "stopwords": "_none_"},
    ]
    for kind in ("int", "long", "float", "double"):
        fields.append({"name": kind, "type": kind, "index": False, "store": True})
    fields.append({"name": "blob", "type": "binary", "store": True})
    return {"fields": fields}


NUMBERS = {
    "int": ["0", "1", "-1", "2147483647", "-2147483648", "12", "86400"],
    "long": ["0", "-1", "9223372036854775807", "-9223372036854775808", "1000", "2000", "3600000", "86400000", "172800000", "12345678901"],
    "float": ["0", "-0.0", "1", "-1", "123", "125", "1.5", "0.1", "1e-45", "1e-46", "3.4028235e38", "3.4028236e38", "1e39", "-2.5", "16777217"],
    "double": ["0", "-0.0", "1", "-1", "123", "125.0", "0.1", "5e-324", "2e-324", "1.7976931348623157e308", "1e309", "-1e-3",
               "0.30000000000000004", "9007199254740993", "3.4e38", "123456789012345678901234567890"],
}


def options(rng, count):
    words = vocabulary(rng, 400)
    names = [f for f in options_schema()["fields"]]
    for i in range(count):
        document = []
        for _ in range(6 + below(rng, 16)):
            field = pick(rng, names)
            name, kind = field["name"], field["type"]
            if kind in NUMBERS:
                spelled = pick(rng, NUMBERS[kind])
                value = pick(rng, [Raw(spelled), spelled])
                if kind in ("float", "double") and rng.random() < 0.1:
                    value = pick(rng, ["NaN", "Infinity", "-Infinity"])
            elif kind == "binary":
                value = b64(below(rng, 256) for _ in range(below(rng, 40)))
            elif kind == "keyword":
                value = pick(rng, [zipf(rng, words), "", Raw("12"), Raw("1.50"), True, {"base64": b64([i % 256, 255, 0])}, wild_text(rng, 4)])
            elif field["analyzer"] == "delimited" if "analyzer" in field else False:
                value = delimited_text(rng, words, below(rng, 9))
            elif field.get("analyzer") == "delimited_freq":
                # Frequencies other than 1 need a field that indexes them; elsewhere Lucene gives the whole writer up.
                most = 5000 if field["index_options"] == "freqs" else 1
                value = " ".join(zipf(rng, words) + pick(rng, ["", "|1", f"|{1 + below(rng, most)}"]) for _ in range(below(rng, 8)))
            else:
                value = pick(rng, [english_text(rng, words, below(rng, 25)), wild_text(rng, below(rng, 30)), "", "...", Raw("-17.0"), False])
            if rng.random() < 0.2:
                value = [value] * below(rng, 3) + [None]
            document.append((name, value))
        yield document


UNICODE_SCHEMA = {"fields": [{"name": a, "type": "text", "analyzer": a, "index_options": "offsets", "store": a == "standard"} for a in ANALYZERS]
                  + [{"name": "short", "type": "text", "max_token_length": 4, "index_options": "offsets"},
                     {"name": "ключ", "type": "keyword", "store": True},
                     {"name": "\U0002070e_*", "type": "keyword"}]}


def unicode_text(rng, count):
    for i in range(count):
        wild = wild_text(rng, 1 + below(rng, 60))
        if i % 40 == 1:
            wild += pick(rng, ["a", "é", "\U0001d400", "1"]) * pick(rng, [254, 255, 256, 510, 511, 512, 1025])
        if i % 97 == 5:
            wild = pick(rng, ["\U00020000", "\U0001f600", "\U0001d400"]) * (1 + below(rng, 300))
        document = [(a, wild.replace("|", "/") if a == "delimited" else wild) for a in ANALYZERS]
        yield document + [("short", wild), ("ключ", wild[:20]), (f"\U0002070e_{i % 3}", pick(rng, SPECIAL))]


TOKENS_SCHEMA = {"fields": [
    {"name": "full", "type": "text", "index_options": "offsets", "store": True, "position_increment_gap": 3, "offset_gap": 5},
    {"name": "positions", "type": "text", "index_options": "positions", "norms": False},
    {"name": "freqs", "type": "text", "index_options": "freqs"},
    {"name": "docs", "type": "text", "index_options": "docs"},
    {"name": "id", "type": "keyword", "store": True}]}


def ready_tokens(rng, words, kind):
    tokens, last, end = [], 0, 0
    for k in range(below(rng, 14)):
        token = {}
        if rng.random() < 0.15:
            token["b"] = b64(below(rng, 256) for _ in range(below(rng, 12)))
        else:
            token["t"] = pick(rng, [zipf(rng, words), "", "\U0001d400", "common"])
        if rng.random() < 0.8:
            token["s"] = last + below(rng, 4)
            end = token["e"] = token["s"] + below(rng, 9)
            last = token["s"]
        else:
            last = end
        if rng.random() < 0.5:
            token["i"] = below(rng, 4) + (1 if k == 0 else 0)
        elif rng.random() < 0.05:
            token["i"] = 1000 * (1 + below(rng, 1000))
        if rng.random() < 0.4 and kind in ("full", "positions"):
            token["p"] = b64(below(rng, 256) for _ in range(pick(rng, [0, 1, 2, 5, 16, 300])))
        if kind == "freqs" and rng.random() < 0.5:
            token["f"] = 1 + below(rng, 300)
        tokens.append(token)
    value = {"str": zipf(rng, words), "tokens": tokens}
    # Without an end of its own a value ends where its text does: the next value must not begin before this one's tokens.
    if rng.random() < 0.7 or last > len(value["str"]):
        value["end"] = max(end, last) + below(rng, 5)
        value["end_inc"] = below(rng, 3)
    return value


def tokens(rng, count):
    words = vocabulary(rng, 60)
    for i in range(count):
        document = [("id", f"t{i}")]
        for kind in ("full", "positions", "freqs", "docs"):
            if rng.random() < 0.7:
                values = [ready_tokens(rng, words, kind) for _ in range(1 + below(rng, 3))]
                document.append((kind, values))
        yield document


STORED_SCHEMA = {"fields": [{"name": "s", "type": "text", "index": False, "store": True}, {"name": "k", "type": "keyword", "store": True},
                            {"name": "b", "type": "binary", "store": True}, {"name": "i", "type": "int", "index": False, "store": True},
                            {"name": "l", "type": "long", "index": False, "store": True}, {"name": "d", "type": "double", "index": False, "store": True}]}


def stored(rng, count):
    """Blocks of stored fields: empty documents, many small ones, values larger than a block, incompressible bytes."""
    words = vocabulary(rng, 300)
    for i in range(count):
        if i % 9 == 0:
            yield []
        elif i % 201 == 7:
            yield [("s", english_text(rng, words, 40000))]
        elif i % 101 == 3:
            yield [("b", b64(below(rng, 256) for _ in range(30000))), ("s", "\U0001f600é" * 5000)]
        else:
            yield [("k", f"key-{i}"), ("s", english_text(rng, words, below(rng, 60))), ("i", below(rng, 1000)), ("l", 1000 * i),
                   ("d", Raw(str(i / 4))), ("k", zipf(rng, words))]


def many_fields_schema():
    return {"fields": [{"name": "t*", "type": "text"}, {"name": "t*x", "type": "text", "norms": False, "index_options": "offsets"},
                       {"name": "k*", "type": "keyword", "store": True}, {"name": "t17", "type": "keyword"}]}


def many_fields(rng, count):
    for i in range(count):
        yield [(f"t{below(rng, 1500)}", "a few words"), (f"t{below(rng, 700)}x", "other words here"), (f"k{below(rng, 800)}", f"v{i}"),
               ("t17", "exact name wins")]


def long_documents(rng, count):
    words = vocabulary(rng, 3000)
    for i in range(count):
        yield [("id", f"long{i}"), ("body", english_text(rng, words, 1 if i % 3 else 60000 + below(rng, 60000)))]


LONG_SCHEMA = {"fields": [{"name": "id", "type": "keyword"}, {"name": "body", "type": "text", "index_options": "offsets"}]}


def operations(rng, count):
    words = vocabulary(rng, 200)
    for i in range(count):
        document = {"id": f"o{i}", "body": english_text(rng, words, below(rng, 12))}
        kind = rng.random()
        if kind < 0.1:
            yield {"op": "add", "docs": [document, {"id": f"o{i}b", "body": "second of a block"}, {}]}
        elif kind < 0.2:
            yield {"op": "add", "doc": document}
        else:
            yield document
        if rng.random() < 0.01:
            yield {"op": "flush"}
        if rng.random() < 0.008:
            yield {"op": "commit"} if rng.random() < 0.5 else {"op": "commit", "user_data": {"at": str(i), "é": "\U0001f600"}}


OPERATIONS_SCHEMA = {"fields": [{"name": "id", "type": "keyword", "store": True}, {"name": "body", "type": "text", "store": True}]}


HOSTILE_SCHEMA = {"fields": [
    {"name": "id", "type": "keyword", "store": True},
    {"name": "before", "type": "text", "store": True},
    {"name": "full", "type": "text", "index_options": "offsets", "store": True, "position_increment_gap": 100},
    {"name": "positions", "type": "text", "store": True},
    {"name": "wide_gap", "type": "text", "position_increment_gap": 62297655},
    {"name": "freqs", "type": "text", "index_options": "freqs"},
    {"name": "freqs_bare", "type": "text", "index_options": "freqs", "norms": False},
    {"name": "weights", "type": "text", "analyzer": "delimited_freq", "index_options": "freqs"},
    {"name": "key", "type": "keyword", "store": True},
    {"name": "words", "type": "text", "analyzer": "keyword"},
    {"name": "bad_only", "type": "text"},
    {"name": "bad_stored_only", "type": "text", "store": True},
    {"name": "n", "type": "int", "index": False, "store": True},
    {"name": "l", "type": "long", "index": False, "store": True},
    {"name": "d", "type": "double", "index": False, "store": True},
    {"name": "b", "type": "binary", "store": True},
    {"name": "late", "type": "text", "store": True}]}

BIG = 2147483647
MAX_POSITION = 2147483519


def of(*tokens_, **more):
    return {"str": "stored text", "tokens": list(tokens_), **more}


def bad_values():
    """(name, value) pairs; most refuse their document, in the middle of it. Some are the last that is still good."""
    term = "x" * 32766
    wide = "\u4e2d" * 10922
    yield "key", term
    yield "key", term + "x"
    yield "key", wide
    yield "key", wide + "x"
    yield "key", "y" * 98301
    yield "key", ["good", term + "x", "never"]
    yield "words", term + "x"
    yield "words", ["first value", term + "yy", "third value"]
    yield "full", of({"t": "kept"}, {"t": term + "z"}, {"t": "not"})
    yield "positions", of({"t": "kept"}, {"t": term}, {"t": term + "z"})
    yield "bad_only", of({"t": term + "z"})
    yield "bad_stored_only", of({"t": "i"}, {"t": "j", "i": -1})
    for name in ("full", "positions", "freqs"):
        yield name, of({"t": "a", "i": 0})
        yield name, of({"t": "a", "i": 1}, {"t": "b", "i": -1})
        yield name, of({"t": "a", "i": 1}, {"t": "b", "i": 0})
        yield name, of({"t": "a", "s": 5, "e": 6}, {"t": "b", "s": 4, "e": 6})
        yield name, of({"t": "a", "s": 5, "e": 4})
        yield name, of({"t": "a", "s": -1, "e": 4})
        yield name, of({"t": "a", "i": MAX_POSITION}, {"t": "b"})
        yield name, of({"t": "a", "i": MAX_POSITION}, {"t": "b"}, {"t": "c"})
        yield name, of({"t": "a", "i": BIG})
        yield name, of({"t": "a", "i": MAX_POSITION}, {"t": "b", "i": BIG})
        yield name, [of({"t": "a", "s": 5, "e": 6}, end=0), of({"t": "b", "s": 0, "e": 1})]
        yield name, [of({"t": "a", "s": 3, "e": 6}, end=10), of({"t": "b", "s": 2, "e": 1})]
        yield name, [of({"t": "a", "s": 0, "e": BIG}), of({"t": "b", "s": 0, "e": 1})]
        yield name, [of({"t": "a"}, end=BIG - 5), of({"t": "b", "s": 3, "e": 5}), of({"t": "c"})]
        yield name, [of({"t": "a"}, end_inc=BIG), of({"t": "b"})]
        yield name, [of({"t": "a"}, end_inc=MAX_POSITION), of({"t": "b"})]
    yield "wide_gap", ["one"] * 34
    yield "wide_gap", ["one"] * 36
    for name in ("freqs", "freqs_bare"):
        yield name, of({"t": "a", "f": BIG})
        yield name, of({"t": "a", "f": BIG}, {"t": "b", "f": 1})
        yield name, of({"t": "a", "f": BIG}, {"t": "a", "f": BIG})
        yield name, of({"t": "a", "f": 0})
        yield name, of({"t": "a", "f": -3})
    yield "weights", "a|3 b|0"
    yield "weights", "a|3 b|x c|4"
    yield "weights", "a|3 b|-1"
    yield "weights", "a|2147483647 b|1"
    yield "weights", "a|2147483648"
    yield "weights", "a|"


def unreadable_values():
    """Refused while the value is still being read: no document number is used."""
    yield "n", Raw("2147483648")
    yield "n", Raw("1.5")
    yield "n", Raw("1e3")
    yield "n", "abc"
    yield "n", True
    yield "l", Raw("9223372036854775808")
    yield "l", "-"
    yield "d", "1,5"
    yield "d", ""
    yield "b", "not base64!"
    yield "b", Raw("7")
    yield "key", {"base64": "=="}
    yield "key", {"other": "x"}
    yield "key", [["nested"]]
    yield "full", {"tokens": [{"t": "a"}]}
    yield "full", {"str": "x", "tokens": [{"t": "a", "q": 1}]}
    yield "full", {"str": "x", "tokens": [{"t": "a", "i": 2147483648}]}
    yield "full", {"str": "x", "tokens": [{"b": "%"}]}
    yield "nowhere", "a field that no schema knows"


def hostile(rng, rounds):
    words = vocabulary(rng, 50)
    number = 0
    for _ in range(rounds):
        for name, value in list(bad_values()) + list(unreadable_values()):
            for _ in range(below(rng, 3)):
                number += 1
                yield [("id", f"good{number}"), ("before", english_text(rng, words, 3)), ("full", english_text(rng, words, 5)),
                       ("positions", "good words"), ("late", "late words"), ("freqs", "a b a"), ("freqs_bare", "a")]
            number += 1
            yield [("id", f"bad{number}"), ("before", "word before " + zipf(rng, words)), (name, value), ("late", "never there")]
        # Blocks: one refused document takes those before it along, and those after it are never read.
        block = [{"id": f"block{number}a", "before": "first"}, {"id": f"block{number}b", "positions": of({"t": "a", "i": 0})},
                 {"id": f"block{number}c", "before": "last"}]
        yield {"op": "add", "docs": block}
        yield {"op": "add", "docs": block[:1] + block[2:]}


def conflict_schema(first):
    return {"fields": [
        {"name": "id", "type": "keyword", "store": True},
        {"name": "same", "type": "text"},
        {"name": "changes", "type": "text", "index_options": "positions" if first else "offsets"},
        {"name": "loses_norms", "type": "text", "norms": first},
        {"name": "unindexed", "type": "text", "index": first, "store": True},
        {"name": "stays", "type": "keyword", "store": first}]}


def conflicts(rng, count, first):
    """Documents of a second writer whose schema disagrees with what the index holds."""
    for i in range(count):
        document = [("id", f"{'first' if first else 'second'}{i}"), ("same", "same words")]
        if i % 2 or first:
            document.append((pick(rng, ["changes", "loses_norms", "unindexed", "stays"]), "a value"))
        if first and i == 0:
            document += [("changes", "v"), ("loses_norms", "v"), ("unindexed", "v"), ("stays", "v")]
        yield document


dense = make_inputs.dense
DENSE_SCHEMA = make_inputs.DENSE_SCHEMA
terms = make_inputs.terms
TERMS_SCHEMA = make_inputs.TERMS_SCHEMA
mixed = make_inputs.mixed
MIXED_SCHEMA = make_inputs.MIXED_SCHEMA

# The fields of the speed comparison (docs/formats/04 section 2.2).
LINE_SCHEMA = {"fields": [
    {"name": "title", "type": "keyword", "source": "title"},
    {"name": "titleTokenized", "type": "text", "store": True, "source": "title"},
    {"name": "body", "type": "text", "source": "body"},
    {"name": "id", "type": "keyword", "store": True, "source": "_line"},
    {"name": "date", "type": "keyword", "store": True, "source": "date"}]}
