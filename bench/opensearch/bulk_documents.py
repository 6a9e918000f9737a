"""_bulk files of the benchmark, made once and kept beside the corpora, and their mappings."""
import hashlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from common import CACHE, ROOT  # noqa: E402
sys.path.insert(0, str(ROOT / "bench/e2e"))
import engines  # noqa: E402

MONTHS = {m: i + 1 for i, m in enumerate("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split())}
KINDS = ["news", "manual", "forum", "mail", "code", "wiki"]

# About 1 KB of real text each, with a few fields to filter and sort by.
ARTICLES = {"properties": {
    "title": {"type": "text", "fields": {"raw": {"type": "keyword", "ignore_above": 256}}},
    "body": {"type": "text"},
    "date": {"type": "date"},
    "kind": {"type": "keyword"},
    "number": {"type": "long"},
    "length": {"type": "integer"}}}

# Short lines of a log: many fields, little text.
EVENTS = {"properties": {
    "@timestamp": {"type": "date"}, "host": {"type": "keyword"}, "level": {"type": "keyword"}, "client": {"type": "ip"},
    "status": {"type": "short"}, "bytes": {"type": "long"}, "seconds": {"type": "float"}, "path": {"type": "keyword"},
    "message": {"type": "text"}, "cached": {"type": "boolean"}}}
MAPPINGS = {"articles": ARTICLES, "events": EVENTS}


def _hash(number, salt):
    return int.from_bytes(hashlib.blake2b(f"{salt}{number}".encode(), digest_size=8).digest(), "little")


def _iso(date):
    day, month, year = date[:11].split("-")
    return f"{year}-{MONTHS[month]:02}-{day}T{date[12:]}Z"


def _article(number, title, date, body):
    return {"title": title, "body": body, "date": _iso(date), "kind": KINDS[_hash(number, "k") % 6], "number": number, "length": len(body)}


def _event(number, title, date, body):
    h = _hash(number, "e")
    return {"@timestamp": f"2026-11-{1 + number // 100_000 % 28:02}T{number // 4000 % 24:02}:{number // 67 % 60:02}:{number % 60:02}.{h % 1000:03}Z",
            "host": f"web-{h % 40:02}", "level": ("info", "info", "info", "warn", "error")[h // 7 % 5], "client": f"10.{h // 11 % 256}.{h // 13 % 256}.{h // 17 % 256}",
            "status": (200, 200, 200, 304, 404, 500)[h // 19 % 6], "bytes": h // 23 % 2_000_000, "seconds": h // 29 % 4000 / 1000,
            "path": f"/{title[:24].lower().replace(' ', '/')}", "message": body[:80], "cached": h // 31 % 2 == 0}


def path_of(case, count):
    """The _bulk file of the first `count` documents of real text."""
    path = CACHE / f"bulk_{case}_{count}.ndjson"
    if path.exists():
        return path
    make = {"articles": _article, "events": _event}[case]
    part = path.with_suffix(".part")
    with open(engines.corpus_path("realtext"), encoding="utf-8") as lines, open(part, "w", encoding="utf-8") as out:
        for number, line in enumerate(lines):
            if number == count:
                break
            out.write(json.dumps({"index": {"_id": f"{case}-{number}"}}) + "\n")
            out.write(json.dumps(make(number, *line.rstrip("\n").split("\t", 2)), ensure_ascii=False) + "\n")
    part.rename(path)
    return path


def batches(path, documents):
    """The file in pieces of so many documents, as they are sent."""
    pieces, lines = [], []
    with open(path, "rb") as source:
        for line in source:
            lines.append(line)
            if len(lines) == 2 * documents:
                pieces.append(b"".join(lines))
                lines = []
    return pieces + ([b"".join(lines)] if lines else [])
