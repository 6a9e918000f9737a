"""The documents and the mapping of the check: every supported field type, with routing, nested blocks and fields that come dynamically."""
import json
import random

WORDS = ("gate wall tower river stone bridge garden lantern harbour winter summer copper silver amber willow falcon "
         "otter heron badger maple cedar meadow canyon island valley ember frost thunder beacon anchor").split()
# Texts beyond ASCII, so that offsets count UTF-16 units.
SPICES = ["naïve café", "Straße", "日本語 テキスト", "emoji 😀 here", "Ελληνικά", "l'été"]

MAPPINGS = {
    "dynamic": True,
    "properties": {
        "key": {"type": "keyword"},
        "title": {"type": "text"},
        "body": {"type": "text", "analyzer": "english"},
        "plain": {"type": "text", "norms": False},
        "tags": {"type": "text", "fields": {"raw": {"type": "keyword"}, "simple": {"type": "text", "analyzer": "simple"}}},
        "joined": {"type": "text"},
        "near": {"type": "text", "position_increment_gap": 3, "analyzer": "whitespace"},
        "offsets": {"type": "text", "index_options": "offsets"},
        "vector": {"type": "text", "term_vector": "with_positions_offsets", "analyzer": "stop"},
        "brief": {"type": "text", "index_options": "docs", "store": True},
        "code": {"type": "keyword", "ignore_above": 8},
        "status": {"type": "keyword", "null_value": "none"},
        "label": {"type": "keyword", "norms": True},
        "bare": {"type": "keyword", "doc_values": False},
        "kept": {"type": "keyword", "index": False},
        "byte": {"type": "byte"},
        "short": {"type": "short"},
        "integer": {"type": "integer"},
        "long": {"type": "long"},
        "unsigned": {"type": "unsigned_long"},
        "half": {"type": "half_float"},
        "float": {"type": "float"},
        "double": {"type": "double"},
        "point": {"type": "long", "doc_values": False},
        "column": {"type": "integer", "index": False},
        "flag": {"type": "boolean"},
        "date": {"type": "date"},
        "day": {"type": "date", "format": "yyyy-MM-dd||epoch_second"},
        "nanos": {"type": "date_nanos"},
        "address": {"type": "ip"},
        "place": {"type": "geo_point"},
        "strict": {"type": "integer", "ignore_malformed": True},
        "first": {"type": "keyword", "copy_to": "everything"},
        "second": {"type": "text", "copy_to": ["everything"]},
        "everything": {"type": "text"},
        "object": {"properties": {"name": {"type": "keyword"}, "size": {"type": "integer"}, "deep": {"properties": {"text": {"type": "text"}}}}},
        "closed": {"type": "object", "dynamic": False, "properties": {"known": {"type": "keyword"}}},
        "items": {"type": "nested", "properties": {
            "sku": {"type": "keyword"}, "quantity": {"type": "integer"}, "note": {"type": "text"},
            "parts": {"type": "nested", "properties": {"name": {"type": "keyword"}}}}},
    },
}


def text(rng, words):
    picked = [rng.choice(WORDS) if rng.random() < 0.7 else WORDS[min(rng.randrange(len(WORDS)), rng.randrange(len(WORDS)))] for _ in range(words)]
    if rng.random() < 0.1:
        picked.insert(rng.randrange(len(picked) + 1), rng.choice(SPICES))
    return " ".join(picked)


def document(number, rng, nested=True):
    """One document; every field is missing in some of them."""
    d = {"key": f"k{number:05}", "title": text(rng, 4).title(), "body": "The " + text(rng, rng.randrange(5, 60)) + " of running rivers"}

    def maybe(part, name, value):
        if rng.random() < part:
            d[name] = value

    maybe(.8, "plain", text(rng, 6))
    maybe(.9, "tags", [text(rng, 2) for _ in range(rng.randrange(1, 4))])
    maybe(.2, "joined", ["the last", "first of all"])
    maybe(.5, "near", [text(rng, 2), text(rng, 1)])
    maybe(.7, "offsets", [text(rng, 8), text(rng, 3)])
    maybe(.7, "vector", "the " + text(rng, 9))
    maybe(.4, "brief", text(rng, 3))
    maybe(.8, "code", rng.choice(["short", "longer than eight", "c1", "c2"]))
    maybe(.7, "status", rng.choice([None, "open", ["open", None], "closed"]))
    maybe(.5, "label", rng.choice(WORDS))
    maybe(.5, "bare", rng.choice(WORDS))
    maybe(.5, "kept", rng.choice(WORDS))
    maybe(.7, "byte", rng.randrange(-128, 128))
    maybe(.7, "short", rng.randrange(-32768, 32768))
    maybe(.8, "integer", rng.choice([rng.randrange(-2 ** 31, 2 ** 31), rng.randrange(10), [1, 5, 5], str(rng.randrange(100)), 7.9]))
    maybe(.8, "long", rng.choice([rng.randrange(-2 ** 63, 2 ** 63), rng.randrange(50), [3, -3]]))
    maybe(.7, "unsigned", rng.choice([rng.randrange(2 ** 64), rng.randrange(100), 2 ** 64 - 1]))
    maybe(.7, "half", rng.choice([rng.randrange(-2000, 2000) / 4, 65504, 0.1]))
    maybe(.7, "float", rng.choice([rng.randrange(-4000, 4000) / 8, 1.1, "2.5"]))
    maybe(.8, "double", rng.choice([rng.randrange(-4000, 4000) / 4, [0.25, -1e3], 3]))
    maybe(.5, "point", rng.randrange(100))
    maybe(.5, "column", rng.randrange(100))
    maybe(.8, "flag", rng.choice([True, False, "true", "", "false", [True, False]]))
    day = f"{rng.randrange(1960, 2040)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
    clock = f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
    maybe(.8, "date", rng.choice([day, f"{day}T{clock}Z", f"{day}T{clock}.{rng.randrange(1000):03}+02:00", rng.randrange(2 * 10 ** 12), day[:7]]))
    maybe(.6, "day", rng.choice([day, rng.randrange(10 ** 9)]))
    maybe(.6, "nanos", f"{max(1971, int(day[:4]))}{day[4:]}T{clock}.{rng.randrange(10 ** 9):09}Z")
    maybe(.7, "address", rng.choice([f"10.{rng.randrange(4)}.0.{rng.randrange(256)}", f"192.168.1.{rng.randrange(256)}",
                                     f"2001:db8::{rng.randrange(65536):x}", "::1", ["10.0.0.1", "fe80::1"]]))
    lat, lon = rng.randrange(-8000, 8000) / 100, rng.randrange(-17900, 17900) / 100
    maybe(.7, "place", rng.choice([{"lat": lat, "lon": lon}, f"{lat},{lon}", [lon, lat], f"POINT ({lon} {lat})", "u33dc0cpp"]))
    maybe(.5, "strict", rng.choice([5, "12", "not a number", 2 ** 40]))
    maybe(.6, "first", rng.choice(WORDS))
    maybe(.6, "second", text(rng, 3))
    maybe(.6, "object", {"name": rng.choice(WORDS), "size": rng.randrange(20), "deep": {"text": text(rng, 4)}})
    maybe(.2, "object.name", rng.choice(WORDS))
    maybe(.5, "closed", {"known": rng.choice(WORDS), "unknown": rng.choice(WORDS)})
    if nested:
        maybe(.6, "items", [{"sku": rng.choice("ABCDE"), "quantity": rng.randrange(9), "note": text(rng, 5),
                             "parts": [{"name": rng.choice(WORDS)} for _ in range(rng.randrange(3))]} for _ in range(rng.randrange(1, 4))])
    # What the mapping does not know.
    if number % 7 == 3:
        d["new_text"] = text(rng, 3)
    if number % 11 == 5:
        d["new_numbers"] = {"whole": number, "part": number / 4, "yes": number % 2 == 0}
    if number % 13 == 6:
        d["new_date"] = day
        d["new_list"] = [number % 5, None, number % 3]
    return d


# Ids of every kind: digits, canonical base64 of OpenSearch's own form, other base64, anything else.
def identifier(number):
    kind = number % 5
    if kind == 0:
        return str(number)
    if kind == 1:
        return f"AbCd_{number:015}"
    if kind == 2:
        return f"id-{number}"
    if kind == 3:
        return f"ünï/{number} x"
    return f"_{number}"


def source(d, number):
    """The document's JSON, not always in the shortest spelling: it must come back byte for byte."""
    if number % 3 == 0:
        return json.dumps(d)
    if number % 3 == 1:
        return json.dumps(d, ensure_ascii=False, separators=(",", ":"))
    return "{ " + json.dumps(d, ensure_ascii=False)[1:-1] + "  }"


class Row:
    """A document of the check: number, id, routing or None, source (a string)."""

    def __init__(self, number, seed, routing=True):
        rng = random.Random(f"{seed}/{number}")
        self.number = number
        self.id = identifier(number)
        self.routing = f"r{number % 17}" if routing and number % 4 == 1 else None
        self.source = source(document(number, rng), number)

    def action(self, kind="index"):
        action = {"_id": self.id}
        if self.routing is not None:
            action["routing"] = self.routing
        return json.dumps({kind: action}, ensure_ascii=self.number % 2 == 0)


def rows(count, seed, routing=True):
    return [Row(number, seed, routing) for number in range(count)]


def bulk(some_rows):
    """NDJSON, `index` and `create` in turns."""
    return "".join(f"{row.action('create' if row.number % 6 == 5 else 'index')}\n{row.source}\n" for row in some_rows).encode()


def lines(some_rows):
    """JSON Lines, of documents that have their ids in themselves."""
    return "".join(f"{row.source}\n" for row in some_rows).encode()
