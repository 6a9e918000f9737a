"""`postern check` beside Lucene's CheckIndex: clean for what Lucene built, and it finds what Lucene finds."""
import base64
import json
import random
import shutil
import struct
import zlib

import oracle

FIELDS = [
    {"name": "id", "type": "keyword", "store": True, "doc_values": "sorted"},
    {"name": "body", "type": "text", "index_options": "offsets", "term_vector": "with_positions_offsets", "store": True},
    {"name": "payloads", "type": "text", "analyzer": "delimited", "index_options": "offsets",
     "term_vector": "with_positions_offsets_payloads"},
    {"name": "freqs", "type": "text", "index_options": "freqs", "term_vector": "yes", "norms": False},
    {"name": "docs", "type": "text", "index_options": "docs"},
    {"name": "n", "type": "long", "index": False, "doc_values": "numeric"},
    {"name": "skipped", "type": "int", "doc_values": "numeric", "doc_values_skip_index": True},
    {"name": "numbers", "type": "double", "doc_values": "sorted_numeric", "doc_values_skip_index": True},
    {"name": "blob", "type": "binary", "doc_values": "binary"},
    {"name": "kind", "type": "keyword", "doc_values": "sorted", "doc_values_skip_index": True},
    {"name": "tags", "type": "keyword", "doc_values": "sorted_set", "doc_values_skip_index": True},
    {"name": "place", "type": "float", "dims": 2},
    {"name": "near", "type": "knn_vector", "dimension": 3, "similarity": "l2"},
    {"name": "bits", "type": "knn_vector", "dimension": 2, "element_type": "byte", "similarity": "dot_product"},
    {"name": "stored", "type": "double", "index": False, "store": True}]
SORT = [{"field": "kind", "order": "desc"}, {"field": "numbers", "missing": "_first"}, {"field": "id"}]


def document(rng, i):
    words = [f"w{int(60 ** rng.random())}" for _ in range(rng.randrange(8))]
    text = " ".join(words)
    doc = {"id": f"{i:06d}", "body": [text, "the end"][:1 + i % 2], "freqs": text, "docs": "common " + text,
           "payloads": " ".join(f"{w}|{'p' * rng.randrange(4)}" if rng.random() < 0.7 else w for w in words[:4]),
           "skipped": i // 7, "kind": f"k{rng.randrange(30)}", "tags": [f"t{rng.randrange(200)}" for _ in range(rng.randrange(4))],
           "numbers": [rng.randrange(1000) / 8 for _ in range(rng.randrange(3))], "place": [rng.random(), -rng.random()]}
    if rng.random() < 0.6:
        doc["n"] = rng.choice([5, 2 ** 40, -3, i])
    if i % 3 == 0:
        doc["blob"] = base64.b64encode(bytes(rng.randrange(12))).decode()
    if i % 5 == 0:
        doc["stored"] = i / 3
        doc["bits"] = [rng.randrange(-128, 128), i % 100]
    if i % 9:
        doc["near"] = [rng.random(), i % 17, -rng.random()]
    return doc


def rounds(rng, count, size):
    """Documents, deletes, updates of doc values and commits; now and then everything becomes one segment."""
    known = 0
    for number in range(count):
        for i in range(known, known + size):
            yield document(rng, i)
        known += size
        for _ in range(size // 10):
            yield {"op": "delete", "term": ["id", f"{rng.randrange(known):06d}"]}
            yield {"op": "update_doc_values", "term": ["id", f"{rng.randrange(known):06d}"], "field": "n", "value": rng.randrange(10 ** 6)}
            yield {"op": "update_doc_values", "term": ["id", f"{rng.randrange(known):06d}"], "field": "blob",
                   "value": base64.b64encode(bytes(rng.randrange(9))).decode()}
        if number % 3 == 2:
            yield {"op": "force_merge", "segments": 1}
        yield {"op": "commit"} if rng.random() < 0.7 else {"op": "flush"}


def write(folder, name, lines, **more):
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / f"{name}.schema.json").write_text(json.dumps({"fields": FIELDS, **more}))


def clean(postern, folder, tally, seed, big):
    """What Lucene built: several generations, deletes, merges, sorted, both kinds of files and of stored fields."""
    cases = [("rounds", rounds(random.Random(seed), 8, 60), {}, ["--compound", "false"]),
             ("merges", rounds(random.Random(seed + 1), 7, 90), {}, ["--compound", "true", "--stored-mode", "compression"]),
             ("sorted", rounds(random.Random(seed + 2), 5, 70), {"index_sort": SORT}, ["--compound", "false"]),
             # Groups of 32 blocks of postings, several leaves of points, intervals of skip indexes, blocks of numbers.
             ("large", (document(random.Random(seed + i), i) for i in range(9000 * big)), {}, ["--compound", "false"])]
    for name, lines, schema, options in cases:
        write(folder, name, lines, **schema)
        out = folder / name
        code, output = oracle.call("build", folder / f"{name}.jsonl", folder / f"{name}.schema.json", out, *options,
                                   "--max-buffered-docs", "100000", "--ram-mb", "256")
        tally.check(f"check: Lucene builds {name}", code == 0, output)
        code, output = postern.check(out)
        tally.check(f"check: {name} is clean", code == 0, output)


def is_good(output):
    return output.startswith("OK ") or "\nOK " in output


def faults(postern, folder, tally, seed, per_file):
    """Changed bytes with a right checksum: what Lucene's CheckIndex objects to, postern objects to."""
    rng = random.Random(seed)
    write(folder, "faults", rounds(rng, 2, 40))
    source, damaged = folder / "faults", folder / "damaged"
    code, output = oracle.call("build", folder / "faults.jsonl", folder / "faults.schema.json", source, "--compound", "false", "--no-merge")
    tally.check("check: Lucene builds the index for faults", code == 0, output)
    seen = missed = alone = 0
    for path in sorted(source.iterdir()):
        if not path.name.startswith(("_0", "segments_")):
            continue
        data = path.read_bytes()
        for _ in range(per_file):
            place, mask = rng.randrange(len(data) - 16), rng.choice([1, 2, 0x10, 0x80, 0xff])
            changed = data[:place] + bytes([data[place] ^ mask]) + data[place + 1:-8]
            shutil.rmtree(damaged, ignore_errors=True)
            shutil.copytree(source, damaged)
            (damaged / path.name).write_bytes(changed + struct.pack(">Q", zlib.crc32(changed)))
            lucene, lucenes_words = oracle.call("check", damaged)
            ours, our_words = postern.check(damaged)
            what = f"{path.name}, byte {place} of {len(data)} xor {mask}"
            tally.check(f"check: a verdict about {what}", ours in (0, 1, 2), our_words)
            if lucene != 0:
                seen += ours != 0
                missed += ours == 0
                tally.check(f"check: Lucene objects to {what}", ours != 0, lucenes_words)
            else:
                alone += ours != 0
    print(f"check: of {seen + missed} faults that Lucene sees {seen} were seen; {alone} that it does not see were seen", flush=True)
    tally.check("check: there were faults to see", seen > per_file, seen)


def run(postern, folder, tally, seed, big):
    folder.mkdir(parents=True, exist_ok=True)
    clean(postern, folder, tally, seed, big)
    faults(postern, folder, tally, seed, 3 * big)
