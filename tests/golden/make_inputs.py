#!/usr/bin/env python3
"""Writes the inputs of the golden indexes: one folder per case with docs.jsonl.gz, schema.json and case.json.

The same words come out on every machine: the generator is seeded and uses nothing but random.random(), whose
sequence Python guarantees. Run through make.sh, which also lets Lucene build the indexes.
"""
import base64
import gzip
import json
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
SYLLABLES = ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "wex", "zor"]
UNICODE_WORDS = ["Straße", "naïve", "ĲSSEL", "Ελλάδα", "Москва", "東京", "東京都", "가나다", "𠮷野", "שלום", "العربية", "e\u0301t\u0301"]


def pick(rng, items):
    return items[int(rng.random() * len(items))]


def below(rng, n):
    return int(rng.random() * n)


def vocabulary(rng, size):
    words = set()
    while len(words) < size:
        words.add("".join(pick(rng, SYLLABLES) for _ in range(1 + below(rng, 5))))
    words = sorted(words)
    for i in range(len(words) - 1, 0, -1):
        j = below(rng, i + 1)
        words[i], words[j] = words[j], words[i]
    return words


def zipf(rng, words):
    """Rank r with a probability that falls about as 1/r."""
    return words[min(len(words) - 1, int(len(words) ** rng.random()) - 1)]


def text(rng, words, low, high):
    n = low + below(rng, high - low + 1)
    out = [zipf(rng, words) for _ in range(n)]
    if n and rng.random() < 0.3:
        out[below(rng, n)] = pick(rng, UNICODE_WORDS)
    return " ".join(out)


MIXED_SCHEMA = {"fields": [
    {"name": "id", "type": "keyword", "store": True},
    {"name": "title", "type": "text", "store": True},
    {"name": "body", "type": "text", "index_options": "positions"},
    {"name": "body_offsets", "type": "text", "index_options": "offsets", "analyzer": "english", "position_increment_gap": 100},
    {"name": "body_freqs", "type": "text", "index_options": "freqs", "norms": False, "analyzer": "simple"},
    {"name": "body_docs", "type": "text", "index_options": "docs", "analyzer": "whitespace"},
    {"name": "sparse", "type": "text", "analyzer": "stop", "store": True},
    {"name": "payloads", "type": "text", "analyzer": "delimited", "index_options": "positions"},
    {"name": "payloads_offsets", "type": "text", "analyzer": "delimited", "index_options": "offsets", "norms": False},
    {"name": "weights", "type": "text", "analyzer": "delimited_freq", "index_options": "freqs"},
    {"name": "tokens", "type": "text", "index_options": "offsets", "store": True},
    {"name": "tag", "type": "keyword"},
    {"name": "raw", "type": "keyword", "store": True},
    {"name": "n", "type": "int", "index": False, "store": True},
    {"name": "l", "type": "long", "index": False, "store": True},
    {"name": "f", "type": "float", "index": False, "store": True},
    {"name": "d", "type": "double", "index": False, "store": True},
    {"name": "bin", "type": "binary", "store": True},
]}


def mixed_document(rng, words, i):
    body = text(rng, words, 0, 40)
    doc = {"id": f"doc-{i:05d}", "title": text(rng, words, 1, 6), "body": body, "body_docs": body, "body_freqs": body}
    doc["body_offsets"] = [text(rng, words, 0, 12) for _ in range(1 + below(rng, 3))]
    if i % 3 == 0:
        doc["sparse"] = pick(rng, ["", "the of and", text(rng, words, 1, 5)])
    if i % 2 == 0:
        tokens = []
        for _ in range(below(rng, 8)):
            word = zipf(rng, words)
            tokens.append(pick(rng, [word, word + "|", word + "|" + pick(rng, words)]))
        doc["payloads"] = " ".join(tokens)
        doc["payloads_offsets"] = [" ".join(tokens), text(rng, words, 0, 3)]
    if i % 5 == 0:
        doc["weights"] = " ".join(f"{zipf(rng, words)}|{1 + below(rng, 1000)}" for _ in range(below(rng, 6)))
    if i % 7 == 0:
        doc["tokens"] = {"str": "ready made", "tokens": [
            {"t": "ready", "s": 0, "e": 5, "p": base64.b64encode(bytes([i % 256, 0, 255])).decode()},
            {"t": "prepared", "s": 0, "e": 5, "i": 0},
            {"t": "made", "s": 6, "e": 10, "i": 1 + i % 4},
            {"b": base64.b64encode(bytes([255, 254, i % 256])).decode(), "s": 10, "e": 10, "i": 1 + (i % 3) * 1000}],
            "end": 12, "end_inc": 2}
    doc["tag"] = [pick(rng, ["red", "green", "blue", "gray"]) for _ in range(below(rng, 4))]
    if i % 11 == 0:
        doc["raw"] = [{"base64": base64.b64encode(bytes([i % 256, 128, 255])).decode()}, ""]
    doc["n"] = pick(rng, [0, 1, -1, 2147483647, -2147483648, i])
    doc["l"] = pick(rng, [0, 1000, 86400000, 3600000 * i, -9223372036854775808, 9223372036854775807, i * i])
    doc["f"] = pick(rng, [0.0, -0.0, 1.5, -3.0, 125.0, 1e30, i / 7])
    doc["d"] = pick(rng, [0.0, -0.0, 0.5, -1.0, 100.0, 1e300, i / 7, "NaN"])
    if i % 4 == 0:
        doc["bin"] = base64.b64encode(bytes(below(rng, 256) for _ in range(below(rng, 20)))).decode()
    return doc


def mixed(rng, count, flush_every=0):
    words = vocabulary(rng, 700)
    for i in range(count):
        yield mixed_document(rng, words, i)
        if flush_every and (i + 1) % flush_every == 0:
            yield {"op": "flush"}


DENSE_SCHEMA = {"fields": [
    {"name": "all", "type": "keyword"},
    {"name": "docs", "type": "text", "analyzer": "whitespace", "index_options": "docs", "norms": False},
    {"name": "freqs", "type": "text", "analyzer": "whitespace", "index_options": "freqs"},
    {"name": "positions", "type": "text", "analyzer": "whitespace", "index_options": "positions"},
    {"name": "offsets", "type": "text", "analyzer": "delimited", "index_options": "offsets", "norms": False},
]}


def dense(rng, count):
    """Terms in all, half, every 3rd, ... document: every encoding of a block of documents, both skip levels."""
    for i in range(count):
        words = ["every"]
        words += [f"by{k}" for k in (2, 3, 5, 17, 31, 64, 700) if i % k == 0]
        if rng.random() < 0.4:
            words.append("often")
        if rng.random() < 0.02:
            words.append("rare")
        if 2000 <= i < 2256:
            words.append("run256")
        if 3000 <= i < 3512 or i == 7000:
            words.append("run512")
        line = " ".join(words)
        doc = {"all": "x", "docs": line, "freqs": line + (" often" * below(rng, 4)), "positions": line}
        if i % 4 == 0:
            doc["offsets"] = f"every|{i % 10} " + line
        yield doc


TERMS_SCHEMA = {"fields": [
    {"name": "id", "type": "keyword"},
    {"name": "hex", "type": "keyword"},
    {"name": "deep", "type": "keyword"},
    {"name": "bytes", "type": "keyword"},
    {"name": "word", "type": "text", "analyzer": "whitespace"},
    {"name": "few", "type": "keyword"},
]}


def terms(rng, count):
    """Thousands of terms: unique ids, shared prefixes, long suffixes, nested prefixes, bytes that are not UTF-8."""
    words = vocabulary(rng, 900)
    for i in range(count):
        doc = {"id": f"{i:06d}", "hex": f"{int(rng.random() * 2 ** 40):010x}", "few": f"f{i % 26}"}
        doc["word"] = " ".join(pick(rng, words) for _ in range(4))
        if i % 10 == 0:
            doc["deep"] = ["a" * (1 + i // 10 % 120), "a" * (i // 10 % 60) + "b" + str(i)]
        if i % 3 == 0:
            doc["bytes"] = {"base64": base64.b64encode(bytes(below(rng, 256) for _ in range(below(rng, 6)))).decode()}
        yield doc


REFUSED_SCHEMA = {"fields": [
    {"name": "id", "type": "keyword", "store": True},
    {"name": "body", "type": "text", "analyzer": "whitespace", "store": True},
    {"name": "body_offsets", "type": "text", "index_options": "offsets", "store": True},
    {"name": "late", "type": "text", "store": True},
    {"name": "only_bad", "type": "text"},
]}


def refused(rng, count):
    """Good documents between refused ones: the refused keep their number, are deleted, and leave what came first."""
    words = vocabulary(rng, 100)
    immense = "x" * 32767
    for i in range(count):
        doc = {"id": f"r{i:04d}", "body": text(rng, words, 1, 8), "late": text(rng, words, 1, 3)}
        kind = i % 10
        if kind == 1:
            doc["body_offsets"] = {"str": "s", "tokens": [{"t": "left", "s": 0, "e": 1}, {"t": "behind", "s": 5, "e": 6},
                                                          {"t": "back", "s": 2, "e": 3}]}
        elif kind == 3:
            doc["body_offsets"] = {"str": "s", "tokens": [{"t": "first", "i": 0}]}
        elif kind == 5:
            doc["body_offsets"] = {"str": "s", "tokens": [{"t": "good", "s": 0, "e": 4}, {"t": "bad", "i": -1}]}
        elif kind == 7 and i < 40:
            doc = {"id": f"r{i:04d}", "body": text(rng, words, 1, 8), "only_bad": {"str": "s", "tokens": [
                {"t": "short"}, {"t": immense}]}, "late": "never reached"}
        elif kind == 8:
            doc["body_offsets"] = "fine here"
        yield doc


def deletes(rng, count):
    words = vocabulary(rng, 100)
    for i in range(count):
        yield {"id": f"d{i:04d}", "body": text(rng, words, 1, 8), "late": text(rng, words, 1, 3)}
    yield {"op": "commit"}
    yield {"op": "delete", "terms": [["id", f"d{i:04d}"] for i in range(0, count, 3)]}
    yield {"op": "commit", "user_data": {"why": "a second generation"}}


def fields(rng, count):
    """More fields than one document has: sparse norms for each of them."""
    for i in range(count):
        yield {f"t_{i % 150}": f"word{i % 7} common", f"k_{i % 90}": f"key{i}", "always": "here"}


FIELDS_SCHEMA = {"fields": [{"name": "t_*", "type": "text"}, {"name": "k_*", "type": "keyword", "store": True},
                            {"name": "always", "type": "text", "norms": True}]}

VECTORS = ["yes", "with_positions", "with_offsets", "with_positions_offsets", "with_positions_payloads",
           "with_positions_offsets_payloads"]
VECTORS_SCHEMA = {"fields": [{"name": "id", "type": "keyword", "store": True}] + [
    {"name": f"{options}_{vector}", "type": "text", "analyzer": "delimited", "index_options": options, "norms": False,
     "position_increment_gap": 3, "term_vector": vector}
    for options, vector in [("positions", v) for v in ["no"] + VECTORS] + [("docs", VECTORS[5]), ("freqs", VECTORS[3])]] + [
    {"name": "k_yes", "type": "keyword", "term_vector": "yes"},
    {"name": "k_full", "type": "keyword", "term_vector": "with_positions_offsets"},
    {"name": "weights", "type": "text", "analyzer": "delimited_freq", "index_options": "freqs", "term_vector": "yes"},
    {"name": "prose", "type": "text", "analyzer": "english", "term_vector": "with_positions_offsets"},
    {"name": "tokens", "type": "text", "index_options": "offsets", "term_vector": "with_positions_offsets_payloads"},
]}


def vectors(rng, count):
    """Every kind of term vector, alone and together, runs of documents without any, a large one, refused ones between."""
    words = vocabulary(rng, 300)
    names = [f["name"] for f in VECTORS_SCHEMA["fields"][1:]]

    def with_payloads(low, high):
        return " ".join(word + pick(rng, ["", "", "|", "|p", f"|{word}{below(rng, 9)}"]) for word in text(rng, words, low, high).split())

    for i in range(count):
        doc = {"id": f"v{i:04d}"}
        some = [] if 100 <= i < 250 else [n for n in names if rng.random() < (0.9 if i % 50 == 0 else 0.15)]
        for name in some:
            if name.startswith("k_"):
                doc[name] = [pick(rng, words + [""]) for _ in range(1 + below(rng, 3))]
            elif name == "weights":
                doc[name] = " ".join(f"{zipf(rng, words)}|{1 + below(rng, 300)}" for _ in range(below(rng, 6)))
            elif name == "prose":
                doc[name] = text(rng, words, 0, 30)
            elif name == "tokens":
                doc[name] = [{"str": "s", "tokens": [
                    {"b": base64.b64encode(bytes([i % 256, 128])).decode(), "s": 1, "e": 3, "p": base64.b64encode(bytes(below(rng, 40))).decode()},
                    {"t": "again", "s": 1, "e": 9, "i": 0}, {"t": "again", "s": 4, "e": 4, "i": 70}]}]
                if i % 3 == 0:
                    doc[name].append({"str": "t", "tokens": [{"t": "good", "s": 2, "e": 2}, {"t": "bad", "s": 0, "e": 1}]})
                elif i % 3 == 1:
                    doc[name].insert(0, {"str": "t", "tokens": [{"t": "first", "i": 0}]})
            else:
                doc[name] = [with_payloads(0, 8) for _ in range(1 + below(rng, 2))]
        if i == 300:
            doc["prose"] = text(rng, words, 2000, 2000)
            doc["positions_with_positions_offsets_payloads"] = with_payloads(1500, 1500)
        yield doc



# A copy of these formulas in C++ feeds src/index/points_flush_test.cc.
def mix(i, k):
    return (i * 2654435761 + k * 40503 * 65537) % 2 ** 32 ^ (i * k >> 3)


def signed(v):
    return v - 2 ** 32 if v >= 2 ** 31 else v


DOUBLES = [0.0, -0.0, 5e-324, -5e-324, "NaN", "Infinity", "-Infinity", 1.7976931348623157e308]
FLOATS = [0.0, -0.0, 2.0 ** -149, -2.0 ** -149, "NaN", "Infinity", "-Infinity", 2.0 ** 127]


def points(count):
    for i in range(count):
        raw = mix(i, 3).to_bytes(4, "big")
        doc = {
            "int": signed(mix(i, 1)),
            "low": [-5, 0, 9, 2 ** 40][mix(i, 2) % 4],
            "same": 7,
            "edge": [-2 ** 63, 2 ** 63 - 1, 0, -1][i % 4],
            "multi": [mix(i, k) % 300 for k in range(i % 4)],
            "float": FLOATS[i % 10] if i % 10 < 8 else (mix(i, 4) % 65536 - 30000) / 8.0,
            "double": DOUBLES[i % 10] if i % 10 < 8 else mix(i, 5) / 7.0 - 3e8,
            "ascending": i * 3,
            "binary16": base64.b64encode(bytes(12) + raw).decode(),
            "binary3": base64.b64encode(raw[:3]).decode(),
            "p2": [signed(mix(i, 6)), mix(i, 7) % 50],
            "p3": [mix(i, 8) / 3.0, -mix(i, 9) / 3.0, DOUBLES[i % 4]],
            "p4": [mix(i, k) % 10 for k in range(10, 14)],
            "p8": [mix(i, k) % (2 * k) for k in range(14, 22)],
        }
        if i % 37 == 0:
            doc["sparse"] = i
        yield doc


POINTS_SCHEMA = {"fields": [
    {"name": "int", "type": "int"}, {"name": "low", "type": "long"}, {"name": "same", "type": "int"}, {"name": "edge", "type": "long"},
    {"name": "multi", "type": "long"}, {"name": "float", "type": "float"}, {"name": "double", "type": "double"},
    {"name": "ascending", "type": "long"}, {"name": "binary16", "type": "binary", "index": True, "bytes": 16},
    {"name": "binary3", "type": "binary", "index": True, "bytes": 3}, {"name": "sparse", "type": "int"},
    {"name": "p2", "type": "int", "dims": 2}, {"name": "p3", "type": "double", "dims": 3},
    {"name": "p4", "type": "int", "dims": 4, "index_dims": 2}, {"name": "p8", "type": "int", "dims": 8}]}

def encodings(count):
    """Columns of every encoding that a small segment can have, and points that tie within a document."""
    for i in range(count):
        doc = {
            "constant": -7,
            "table": [-2 ** 63, 2 ** 63 - 1, 0, 12345678901, -1][mix(i, 1) % 5],
            "divisor": -1_000_000 + 1000 * (mix(i, 2) % 3000),
            "wide": signed(mix(i, 3)) * 2 ** 31 + mix(i, 4),
            "from_zero": 130 + mix(i, 5) % 100,
            "numbers": [mix(i, k) % 40 - 20 for k in range(i % 4)],
            "double": [DOUBLES[i % 8], mix(i, 6) / 7.0][: 1 + i % 2],
            "float": FLOATS[mix(i, 7) % 8],
            "blob": base64.b64encode(mix(i, 8).to_bytes(4, "big") * (i % 5)).decode(),
            "fixed": base64.b64encode(mix(i, 9).to_bytes(4, "big")).decode(),
            "kind": "kind %d" % (mix(i, 10) % 65),
            "unique": "prefix shared by all, %x" % (mix(i, 11) * 1000 + i),
            "set": ["a", "b", "a", "", "set %d" % (mix(i, 12) % 200)][: i % 6],
            "ties2": [[mix(i, 20 + k) % 3, mix(i, 30 + k) % 400] for k in range(i % 5)],
            "ties3": [[mix(i, 40 + k) % 2, mix(i, 50 + k) % 60_000, mix(i, 60 + k) % 2] for k in range(i % 3)],
        }
        if i % 40 == 11:
            doc |= {"rare": i, "rare_word": "word %d" % (i % 3), "rare_blob": "AAEC"}
        if i == 300:
            doc["heap"] = [[mix(k, 70) % 2, mix(k, 71) % 9, k] for k in range(900)]
        yield doc


ENCODINGS_SCHEMA = {"fields": [
    {"name": "constant", "type": "int", "index": False, "doc_values": "numeric", "doc_values_skip_index": True},
    {"name": "table", "type": "long", "index": False, "doc_values": "numeric"},
    {"name": "divisor", "type": "long", "index": False, "doc_values": True, "doc_values_skip_index": True},
    {"name": "wide", "type": "long", "doc_values": "numeric"},
    {"name": "from_zero", "type": "int", "index": False, "doc_values": True},
    {"name": "numbers", "type": "int", "index": False, "doc_values": True, "doc_values_skip_index": True},
    {"name": "double", "type": "double", "doc_values": True}, {"name": "float", "type": "float", "index": False, "doc_values": "numeric"},
    {"name": "blob", "type": "binary", "doc_values": True}, {"name": "fixed", "type": "binary", "doc_values": True},
    {"name": "kind", "type": "keyword", "index": False, "doc_values": "sorted", "doc_values_skip_index": True},
    {"name": "unique", "type": "keyword", "index": False, "doc_values": "sorted_set"},
    {"name": "set", "type": "keyword", "index": False, "doc_values": True, "doc_values_skip_index": True},
    {"name": "rare", "type": "long", "index": False, "doc_values": "numeric"},
    {"name": "rare_word", "type": "keyword", "index": False, "doc_values": "sorted"},
    {"name": "rare_blob", "type": "binary", "doc_values": True},
    {"name": "ties2", "type": "int", "dims": 2}, {"name": "ties3", "type": "int", "dims": 3, "index_dims": 2}, {"name": "heap", "type": "int", "dims": 3}]}

COLUMNS_SCHEMA = {"fields": [
    {"name": "id", "type": "keyword", "store": True},
    {"name": "body", "type": "text", "index_options": "offsets", "term_vector": "with_positions_offsets", "store": True},
    {"name": "weighted", "type": "text", "analyzer": "delimited", "index_options": "offsets",
     "term_vector": "with_positions_offsets_payloads"},
    {"name": "n", "type": "long", "index": False, "doc_values": "numeric"},
    {"name": "skipped", "type": "int", "doc_values": "numeric", "doc_values_skip_index": True},
    {"name": "numbers", "type": "double", "doc_values": "sorted_numeric", "doc_values_skip_index": True},
    {"name": "blob", "type": "binary", "doc_values": "binary"},
    {"name": "fixed", "type": "binary", "doc_values": "binary"},
    {"name": "kind", "type": "keyword", "doc_values": "sorted", "doc_values_skip_index": True},
    {"name": "tags", "type": "keyword", "doc_values": "sorted_set", "doc_values_skip_index": True},
    {"name": "name", "type": "keyword", "index": False, "doc_values": "sorted_set"},
    {"name": "place", "type": "float", "dims": 2}]}


def columns(rng, first, count):
    words = vocabulary(rng, 120)
    for i in range(first, first + count):
        doc = {"id": f"c{i:04d}", "body": text(rng, words, 1, 9), "skipped": i * 3 - 100, "kind": pick(rng, words[:20]),
               "fixed": base64.b64encode(bytes([i % 256, i // 256])).decode(), "place": [below(rng, 100) / 4, -below(rng, 100) / 8]}
        doc["weighted"] = " ".join(f"{pick(rng, words)}|{'p' * below(rng, 4)}" for _ in range(below(rng, 4)))
        doc["tags"] = [pick(rng, words) for _ in range(below(rng, 4))]
        doc["numbers"] = [below(rng, 1000) / 10 for _ in range(below(rng, 3))]
        if i % 2 == 0:
            doc["n"] = (i * 7919) % 5000
        if i % 3 == 0:
            doc["blob"] = base64.b64encode(bytes(below(rng, 12))).decode()
        if i >= 100 or i % 5 == 0:
            doc["name"] = f"name {i:05d}"
        yield doc


def updates(rng):
    """Columns of every kind; several generations of doc values, field infos and deletes in two segments."""
    yield from columns(rng, 0, 180)
    yield {"op": "flush"}
    yield from columns(rng, 180, 60)
    yield {"op": "commit"}
    for i in range(0, 240, 4):
        yield {"op": "update_doc_values", "term": ["id", f"c{i:04d}"], "field": "n", "value": -i}
    yield {"op": "delete", "terms": [["id", f"c{i:04d}"] for i in range(0, 240, 9)]}
    yield {"op": "commit"}
    for i in range(2, 200, 7):
        yield {"op": "update_doc_values", "term": ["id", f"c{i:04d}"], "field": "blob", "value": base64.b64encode(bytes(i % 5)).decode()}
    yield {"op": "update_doc_values", "term": ["id", "c0200"], "field": "n", "value": 2 ** 40}
    yield {"op": "delete", "terms": [["id", "c0001"]]}
    yield {"op": "commit"}


def merged(rng):
    """What merging and sorting leave, and a segment that was not merged."""
    yield from columns(rng, 0, 100)
    yield {"op": "flush"}
    yield from columns(rng, 100, 100)
    yield {"op": "delete", "terms": [["id", f"c{i:04d}"] for i in range(0, 200, 3)]}
    yield {"op": "commit"}
    yield {"op": "force_merge", "segments": 1}
    yield from columns(rng, 200, 40)
    yield {"op": "commit"}
    yield {"op": "update_doc_values", "term": ["id", "c0205"], "field": "n", "value": 1}
    yield {"op": "delete", "terms": [["id", "c0210"], ["id", "c0004"]]}


MERGED_SCHEMA = {"fields": [f | ({"doc_values": "sorted"} if f["name"] == "id" else {}) for f in COLUMNS_SCHEMA["fields"]],
                 "index_sort": [{"field": "kind", "order": "desc"}, {"field": "id"}]}

SORTED_SCHEMA = {"fields": COLUMNS_SCHEMA["fields"] + [{"name": "gone", "type": "long", "index": False, "doc_values": "numeric"}],
                 "index_sort": [{"field": "kind", "order": "desc"}, {"field": "numbers", "mode": "max", "missing": "_first"}],
                 "parent_field": "parent", "soft_deletes_field": "gone"}


def sorted_blocks(rng):
    """Blocks, refused documents and soft deletes in two segments; each ends with a good document (docs/formats/02 §9)."""
    documents = list(columns(rng, 0, 300))
    flushed = False
    while documents:
        length = pick(rng, [1, 1, 1, 2, 5])
        block = [documents.pop() for _ in range(min(length, len(documents)))]
        if documents and rng.random() < 0.15:
            block[below(rng, len(block))]["kind"] = ["one", "too many"]
        if rng.random() < 0.15:
            block[-1]["gone"] = 1
        yield block[0] if length == 1 else {"op": "add", "docs": block}
        if len(documents) <= 120 and not flushed:
            flushed = True
            yield documents.pop()
            yield {"op": "flush"}


KNN_SCHEMA = {"fields": [{"name": "id", "type": "keyword", "store": True, "doc_values": True}, {"name": "key", "type": "keyword"}] + [
    {"name": f"{kind}_{similarity}", "type": "knn_vector", "dimension": dimension, "element_type": kind, "similarity": similarity}
    for kind, similarity, dimension in [("float32", "l2", 4), ("float32", "cosine", 3), ("float32", "dot_product", 5), ("float32", "max_inner_product", 2),
                                        ("byte", "l2", 5), ("byte", "cosine", 33), ("byte", "dot_product", 3), ("byte", "max_inner_product", 1)]]}
# Those from here on are in few documents: no graph.
KNN_GRAPHS = 5


def knn(rng, count):
    """Vectors of every kind, with and without a graph, in all or some documents; multiples of 1/4, whose scores are exact."""
    fields = KNN_SCHEMA["fields"][2:]
    for i in range(count):
        doc = {"id": f"n{i:04d}"}
        for place, field in enumerate(fields):
            if rng.random() >= (1 if place % 2 == 0 else 0.97) * (1 if place < KNN_GRAPHS else 0.1):
                continue
            value = (lambda: (below(rng, 65) - 32) / 4) if field["element_type"] == "float32" else (lambda: below(rng, 256) - 128)
            doc[field["name"]] = [value() for _ in range(field["dimension"])]
        if i % 50 == 7:  # refused after some of its vectors, which stay
            doc["key"] = "x" * 32767
            doc["byte_dot_product"] = [1, 2, 3]
        yield doc


# The names of what is updated fall into different buckets of Lucene's hash map (docs/formats/11 §2.2).
CHANGES_SCHEMA = {"fields": [
    {"name": "id", "type": "keyword", "store": True},
    {"name": "body", "type": "text", "store": True},
    {"name": "n", "type": "long", "index": False, "doc_values": "numeric"},
    {"name": "m", "type": "int", "index": False, "doc_values": "numeric"},
    {"name": "z", "type": "binary", "doc_values": "binary"},
    {"name": "late", "type": "double", "index": False, "doc_values": "numeric"},
    {"name": "gone", "type": "long", "index": False, "doc_values": "numeric"},
    {"name": "rank", "type": "long", "index": False, "doc_values": "numeric"}],
    "index_sort": [{"field": "rank", "order": "desc"}], "parent_field": "root", "soft_deletes_field": "gone"}


def changes(rng, operations):
    """Everything that changes documents, on few ids: in the buffer, in segments, in earlier commits; blocks, a sort, soft deletes."""
    words = vocabulary(rng, 60)

    def id_():
        return f"d{below(rng, 40):02d}"

    def document():
        doc = {"id": id_(), "body": text(rng, words, 0, 4), "rank": below(rng, 20)}
        if rng.random() < 0.6:
            doc["n"] = below(rng, 500)
        if rng.random() < 0.4:
            doc["z"] = base64.b64encode(bytes(below(rng, 4))).decode()
        return doc

    for number in range(operations):
        kind = rng.random()
        if kind < 0.42:
            yield document()
        elif kind < 0.5:
            yield {"op": "add", "docs": [document() for _ in range(3)]}
        elif kind < 0.6:
            yield {"op": "update", "term": ["id", id_()], "doc": document()}
        elif kind < 0.64:
            yield {"op": "update", "term": ["id", id_()], "docs": [document(), document()]}
        elif kind < 0.72:
            yield {"op": "delete", "terms": [["id", id_()], ["body", pick(rng, words)]][:1 + below(rng, 2)]}
        elif kind < 0.96:
            values = {"n": below(rng, 10 ** 9), "m": -below(rng, 9), "z": base64.b64encode(bytes([below(rng, 256)])).decode(), "late": below(rng, 9) / 2}
            values = {name: value for name, value in values.items() if rng.random() < 0.4}
            yield {"op": "update_doc_values", "term": ["id", id_()], "fields": {**values, **({"gone": 1} if rng.random() < 0.15 else {})}}
        elif kind < 0.98:
            yield {"op": "flush"}
        else:
            yield {"op": "commit", "user_data": {"operation": str(number)}}
        if number == operations // 4:
            yield {"op": "delete_all"}


# name, schema, documents, options of `build`, and whether postern can be asked to build the same; a sixth `True`: Lucene may merge
CASES = [
    ("mixed_plain", MIXED_SCHEMA, lambda rng: mixed(rng, 400, 250), ["--compound", "false"], True),
    ("mixed_compression", MIXED_SCHEMA, lambda rng: mixed(rng, 150), ["--compound", "false", "--stored-mode", "compression"], True),
    ("mixed_compound", MIXED_SCHEMA, lambda rng: mixed(rng, 120, 50), ["--compound", "true"], True),
    ("dense", DENSE_SCHEMA, lambda rng: dense(rng, 9000), ["--compound", "false"], True),
    ("terms", TERMS_SCHEMA, lambda rng: terms(rng, 3000), ["--compound", "false"], True),
    ("refused", REFUSED_SCHEMA, lambda rng: refused(rng, 120), ["--compound", "false", "--on-error", "skip"], True),
    ("fields", FIELDS_SCHEMA, lambda rng: fields(rng, 600), ["--compound", "false"], True),
    ("vectors", VECTORS_SCHEMA, lambda rng: vectors(rng, 600), ["--compound", "false", "--on-error", "skip"], True),
    ("deletes", REFUSED_SCHEMA, lambda rng: deletes(rng, 90), ["--compound", "false"], True),
    ("points", POINTS_SCHEMA, lambda rng: points(1100), ["--compound", "false"], True),
    ("columns", ENCODINGS_SCHEMA, lambda rng: encodings(700), ["--compound", "false"], True),
    ("knn", KNN_SCHEMA, lambda rng: knn(rng, 900), ["--compound", "false", "--on-error", "skip"], True),
    ("updates", COLUMNS_SCHEMA, updates, ["--compound", "false"], True),
    ("changes", CHANGES_SCHEMA, lambda rng: changes(rng, 300), ["--compound", "true"], True),
    ("sorted", SORTED_SCHEMA, sorted_blocks, ["--compound", "false", "--on-error", "skip"], True),
    ("merged", MERGED_SCHEMA, merged, ["--compound", "true"], False, True),
]


def write_case(name, schema, documents, options, rebuild, merge=False):
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    lines = "".join(json.dumps(d, ensure_ascii=False) + "\n" for d in documents(random.Random(2 ** 16 + len(name))))
    with open(folder / "docs.jsonl.gz", "wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as packed:
            packed.write(lines.encode("utf-8"))
    rows = ",\n  ".join(json.dumps(f) for f in schema["fields"])
    more = "".join(f",\n {json.dumps(key)}: {json.dumps(value)}" for key, value in schema.items() if key != "fields")
    (folder / "schema.json").write_text('{"fields": [\n  ' + rows + "]" + more + "}\n")
    options = options + ["--max-buffered-docs", "1000000", "--ram-mb", "512"] + ([] if merge else ["--no-merge"])
    case = {"options": options, "rebuild": rebuild}
    (folder / "case.json").write_text(json.dumps(case) + "\n")


if __name__ == "__main__":
    for case in CASES:
        write_case(*case)
