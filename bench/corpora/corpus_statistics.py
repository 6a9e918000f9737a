"""What a corpus is like for a term hash: how many adds, known terms, short look-ups; how the vocabulary grows."""
import json
import re

import common

WORD = re.compile(r"\w+")


def measure(path):
    """Words are runs of letters, digits and underscores in lower case, of bodies: near what the standard analyzer makes of them."""
    seen, adds, known, short, body_bytes, docs, growth = set(), 0, 0, 0, 0, 0, {}
    with open(path, encoding="utf-8") as lines:
        for docs, line in enumerate(lines, 1):
            body = line.rstrip("\n").split("\t", 2)[2]
            body_bytes += len(body.encode())
            for word in WORD.findall(body.lower()):
                adds += 1
                if word in seen:
                    known += 1
                    short += len(word) <= 5 and (word.isascii() or len(word.encode()) <= 5)
                else:
                    seen.add(word)
            if docs in (10_000, 100_000, 300_000, 1_000_000):
                growth[docs] = len(seen)
    return {"docs": docs, "megabytes": round(path.stat().st_size / 1e6, 1), "body_bytes": round(body_bytes / docs), "words": round(adds / docs, 1),
            "known_percent": round(100 * known / adds, 2), "short_percent": round(100 * short / known, 2), "vocabulary": len(seen),
            "vocabulary_by_docs": growth}


def report(name, path, folder=common.RESULTS):
    """Prints the statistics and keeps them with the results."""
    statistics = measure(path)
    print(json.dumps(statistics))
    key = {"corpus": name, "bytes": path.stat().st_size}
    store = common.Store(folder, "corpora")
    if not store.has(key):
        store.add(key, statistics)
