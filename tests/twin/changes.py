"""Deletes and updates: every situation by itself, and random streams of operations.

Everything is decided by the order of the operations and the flush points, so the files of both sides are the same. One thing is
not decided in Lucene itself: the order of generations of fields whose names fall into one bucket of a hash map. Fields that are
updated have names for which that does not happen.
"""
from inputs import b64, below, pick, to_line, vocabulary

UPDATED = ("n", "m", "r", "q", "z", "late", "stock", "gone", "root")


def bucket(name, size):
    """Where Java's HashMap keeps a name."""
    value = 0
    for c in name:
        value = value * 31 + ord(c) & 0xffffffff
    return (value ^ value >> 16) & size - 1


assert len({bucket(name, 16) for name in UPDATED}) == len(UPDATED), [(name, bucket(name, 16)) for name in UPDATED]

FIELDS = [
    {"name": "id", "type": "keyword", "store": True},
    {"name": "body", "type": "text", "index_options": "offsets", "term_vector": "with_positions_offsets", "store": True},
    {"name": "tag", "type": "keyword", "doc_values": True},
    {"name": "n", "type": "long", "index": False, "doc_values": "numeric", "store": True},
    {"name": "m", "type": "int", "index": False, "doc_values": "numeric"},
    {"name": "r", "type": "float", "index": False, "doc_values": "numeric"},
    {"name": "q", "type": "double", "index": False, "doc_values": "numeric"},
    {"name": "z", "type": "binary", "doc_values": "binary"},
    {"name": "late", "type": "long", "index": False, "doc_values": "numeric"},
    {"name": "stock", "type": "keyword", "index": False, "doc_values": "binary"},
    {"name": "gone", "type": "long", "index": False, "doc_values": "numeric"},
    {"name": "rank", "type": "long", "index": False, "doc_values": "numeric"},
    {"name": "many_*", "type": "long", "index": False, "doc_values": "numeric"},
    # None of these can be updated.
    {"name": "point", "type": "long", "doc_values": "numeric"},
    {"name": "skipped", "type": "long", "index": False, "doc_values": "numeric", "doc_values_skip_index": True},
    {"name": "term", "type": "keyword", "doc_values": "binary"}]


def schema(sort=None, soft=False, parent=False):
    return {"fields": FIELDS, **({"index_sort": sort} if sort else {}), **({"soft_deletes_field": "gone"} if soft else {}),
            **({"parent_field": "root"} if parent else {})}


RANK = [{"field": "rank", "order": "desc"}]
COMMIT, FLUSH, ALL = {"op": "commit"}, {"op": "flush"}, {"op": "delete_all"}


def doc(id_, **more):
    return {"id": str(id_), **more}


def delete(*ids):
    return {"op": "delete", "terms": [["id", str(i)] for i in ids]}


def update(id_, *docs):
    return {"op": "update", "term": ["id", str(id_)], **({"doc": docs[0]} if len(docs) == 1 else {"docs": list(docs)})}


def change(id_, **fields):
    return {"op": "update_doc_values", "term": ["id", str(id_)], "fields": fields}


def soft_delete(id_):
    return change(id_, gone=1)


REFUSED = {"id": "bad", "term": "x" * 40000}
ONE, TWO, THREE = doc(1, n=1, m=1), doc(2, n=2, z="AAAA"), doc(3, q=0.5)

# name: (lines, schema, documents after which a segment ends or None). What each is there for says docs/formats/02, sections 4 and 5.
SITUATIONS = {
    "buffered": ([ONE, TWO, delete(1), doc(1, n=5), COMMIT], {}, None),
    "flushed": ([ONE, TWO, THREE, doc(4), FLUSH, delete(1), FLUSH, delete(2, 3), FLUSH], {}, None),
    "committed": ([ONE, TWO, THREE, doc(4), COMMIT, delete(1), COMMIT, delete(2), FLUSH, delete(3), FLUSH], {}, None),
    "automatic": ([ONE, TWO, THREE, delete(1), doc(5), doc(6), doc(7), delete(2, 5), doc(8), doc(9), doc(10)], {}, 3),
    "nothing": ([ONE, COMMIT, delete(7), {"op": "delete", "terms": []}, change(7, n=1), {"op": "delete", "term": ["tag", "x"]}, COMMIT], {}, None),
    "terms": ([doc(1, body="one two"), doc(2, body="Two"), doc(3, tag=["x", "y"]), doc(""), doc("\ud800x"), COMMIT,
               {"op": "delete", "terms": [["body", "one"], ["tag", "y"], ["id", "\ud800x"], ["body", "Two"], ["id", ""]]}], {}, None),
    "bytes": ([doc(5), [("id", {"base64": "gP8="})], doc("true"), doc("1.50"), COMMIT,
               {"op": "delete", "terms": [["id", 5], ["id", {"base64": "gP8="}], ["id", True]]}], {}, None),
    "emptied_at_once": ([ONE, delete(1), FLUSH, TWO, COMMIT], {}, None),
    "emptied_later": ([ONE, TWO, COMMIT, delete(1, 2), THREE, COMMIT, update(3, doc(3, m=3)), COMMIT], {}, None),
    "emptied_by_updates": ([ONE, TWO, doc(3), update(1, doc(1)), update(2, doc(2)), update(3, doc(3)), doc(4), doc(5), doc(6)], {}, 3),
    "all_gone": ([ONE, TWO, COMMIT, delete(1), FLUSH, delete(2), COMMIT], {}, None),
    "update": ([ONE, doc(1, m=2), TWO, COMMIT, update(1, doc(1, n=9)), update(1, doc(1, n=10)), update(8, doc(8))], {}, None),
    "update_block": ([ONE, update(1, doc(1, n=2), doc(1, n=3)), update(1, doc(1, n=4), doc(5, n=5)), COMMIT, update(5, doc(6), doc(5))], {}, None),
    "update_refused": ([ONE, TWO, COMMIT, update(1, REFUSED), update(2, doc(2, n=3), REFUSED, doc(9)), COMMIT, update(1, doc(1)), update(2, REFUSED)], {}, None),
    "column_private": ([ONE, change(1, n=5), TWO, change(2, m=9, z="/w=="), doc(1, n=7), COMMIT], {}, None),
    "column_flushed": ([ONE, TWO, FLUSH, change(1, n=5), THREE, FLUSH, change(1, m=2), change(3, q=-0.0, r="NaN"), FLUSH], {}, None),
    "column_committed": ([ONE, TWO, COMMIT, change(1, n=5), FLUSH, change(1, n=6, m=7), FLUSH, change(2, m=8), COMMIT, change(2, z="AAECAw==")], {}, None),
    "column_automatic": ([ONE, change(1, n=5), TWO, change(2, n=6), THREE, change(3, n=7), doc(4), change(1, m=5), doc(5), doc(6), change(4, n=8)], {}, 2),
    "column_order": ([ONE, TWO, COMMIT, {**change(1, z="AQ==", m=7, n=8, q=1, r=2), "term": ["id", "1"]}, change(2, n=3)], {}, None),
    "column_twice": ([ONE, TWO, COMMIT, change(1, n=5), change(1, n=6), {"op": "update_doc_values", "term": ["id", "2"], "field": "n", "value": 7},
                      change(2, n=8)], {}, None),
    "column_missing": ([ONE, COMMIT, TWO, COMMIT, change(1, z="AA=="), change(2, m=3), THREE, change(3, n=1)], {}, None),
    "column_made": ([change(1, late=1), ONE, TWO, change(1, late=2), COMMIT, change(2, stock="é"), COMMIT, doc(4, stock="x", late=3)], {}, None),
    "column_same": ([ONE, COMMIT, change(1, n=1), COMMIT], {}, None),
    "column_no_fields": ([ONE, COMMIT, change(1), COMMIT], {}, None),
    "column_then_delete": ([ONE, TWO, THREE, COMMIT, change(1, n=5), change(2, n=5), delete(1), COMMIT], {}, None),
    "column_after_delete": ([ONE, TWO, COMMIT, delete(1), change(1, n=5), COMMIT, change(1, n=6), COMMIT], {}, None),
    "column_delete_private": ([ONE, TWO, THREE, change(1, n=5), change(2, n=5), delete(1), change(3, n=5), delete(3), doc(3)], {}, None),
    "column_delete_other_packet": ([ONE, TWO, change(1, n=5), THREE, doc(4), delete(1), change(2, n=9), doc(5), doc(6), delete(2)], {}, 2),
    "column_many_fields": ([doc(1, **{f"many_{i}": i for i in (1, 2, 4)}), COMMIT, change(1, many_4=1, many_1=2, many_2=3)], {}, None),
    "column_refused": ([doc(1, n=1, point=1, skipped=1, term="t", z="AA=="), COMMIT, change(1, point=2), change(1, skipped=2), change(1, term="u"),
                        change(1, n=7, point=2), change(1, n="x"), {"op": "update_doc_values", "term": ["id", "1"], "field": "tag", "value": "x"},
                        {"op": "delete", "term": ["point", 1]}, {"op": "delete", "term": ["nowhere", "1"]}, doc(2)], {}, None),
    "column_made_then_refused": ([change(1, point=1), ONE, change(1, point=2), COMMIT, doc(2, point=3), change(1, point=4)], {}, None),
    "column_made_by_refused": ([doc(1, n=1, point=1), COMMIT, change(1, late=1, point=4), doc(2, m=1, late=3)], {}, None),
    "column_of_sort": ([doc(1, rank=1, n=1), COMMIT, change(1, rank=2), change(1, n=2)], {"sort": RANK}, None),
    "column_of_parent": ([{"op": "add", "docs": [doc(1), doc(2)]}, change(1, n=4), {"op": "delete", "term": ["id", "1"]}], {"parent": True}, None),
    "soft": ([ONE, TWO, THREE, COMMIT, soft_delete(1), COMMIT, delete(2), COMMIT, delete(1), COMMIT], {"soft": True}, None),
    "soft_not_live": ([ONE, doc(2, gone=1), THREE, change(2, n=5), COMMIT, soft_delete(1), FLUSH, change(1, n=5), change(2, n=6)], {"soft": True}, None),
    "soft_and_update": ([ONE, TWO, COMMIT, soft_delete(1), change(1, n=5), change(2, gone=1, n=6), THREE], {"soft": True}, None),
    "soft_and_update_private": ([ONE, TWO, soft_delete(1), change(1, n=5), THREE], {"soft": True}, None),
    "soft_and_update_automatic": ([ONE, TWO, soft_delete(1), THREE, doc(4), change(1, n=5), doc(5), doc(6)], {"soft": True}, 2),
    "soft_and_delete": ([ONE, TWO, THREE, soft_delete(1), delete(1), COMMIT, soft_delete(2), delete(2)], {"soft": True}, None),
    "soft_and_replace": ([ONE, TWO, soft_delete(1), update(1, doc(1, n=7))], {"soft": True}, None),
    "soft_emptied": ([ONE, TWO, COMMIT, soft_delete(1), FLUSH, soft_delete(2), FLUSH, THREE, doc(4), COMMIT, soft_delete(3), delete(4)], {"soft": True}, None),
    "soft_emptied_private": ([ONE, TWO, soft_delete(1), soft_delete(2), COMMIT, THREE], {"soft": True}, None),
    "soft_emptied_automatic": ([ONE, TWO, soft_delete(1), THREE, doc(4), soft_delete(2), doc(5), doc(6), doc(7)], {"soft": True}, 2),
    "soft_emptied_by_delete": ([doc(1, gone=1), TWO, delete(2), doc(5), doc(6), doc(7)], {"soft": True}, 2),
    "sorted": ([doc(1, rank=9, n=1), doc(2, rank=1, n=1), change(1, n=7), doc(1, rank=5, n=3), doc(2, rank=2), delete(2), doc(2, rank=0), change(2, n=8),
                doc(2, rank=-1), COMMIT, change(1, n=10), delete(2)], {"sort": RANK}, None),
    "sorted_blocks": ([{"op": "add", "docs": [doc(1, rank=1), doc(2, rank=5)]}, doc(3, rank=9), update(1, doc(1, rank=7), doc(4, rank=8)), change(4, n=1),
                       delete(3), COMMIT, update(2, doc(5, rank=3))], {"sort": RANK, "parent": True}, None),
    "delete_all": ([ONE, TWO, {"op": "commit", "user_data": {"k": "x"}}, THREE, ALL, doc(4, z="AAAA", n=2), doc(5), COMMIT, ALL, COMMIT], {}, None),
    "delete_all_query": ([ONE, TWO, COMMIT, THREE, {"op": "delete", "query": "*:*"}, doc(4, m=1), COMMIT], {}, None),
    "delete_all_first": ([ALL, COMMIT, ALL, COMMIT, ONE], {}, None),
    "delete_all_buffered": ([ONE, change(1, n=9), delete(1), ALL, doc(1, m=1), FLUSH, ALL, doc(2), doc(1)], {}, None),
    "delete_all_uncommitted": ([ONE, FLUSH, TWO, change(1, n=4), ALL, COMMIT, change(1, n=5), ONE], {}, None),
}


def stream(rng, count, soft=False, parent=False, refuse=False, sort=None):
    """Operations of all kinds on few ids, so that they meet: in the buffer, in segments, in earlier commits."""
    words, ids = vocabulary(rng, 120), max(12, count // 8)

    def some():
        return str(below(rng, ids))

    def document(id_):
        made = {"id": id_, "body": " ".join(pick(rng, words) for _ in range(below(rng, 5))), "rank": below(rng, 40)}
        for name, value in (("n", below(rng, 1000)), ("m", below(rng, 7)), ("q", below(rng, 100) / 8), ("tag", [f"t{below(rng, 60)}" for _ in range(2)]),
                            ("z", b64(bytes(below(rng, 256) for _ in range(below(rng, 5)))))):
            if rng.random() < 0.5:
                made[name] = value
        if soft and rng.random() < 0.05:
            made["gone"] = 1
        return made

    def documents():
        block = (parent or not sort) and rng.random() < 0.2
        made = [document(some()) for _ in range(2 + below(rng, 3) if block else 1)]
        if refuse and rng.random() < 0.06:
            made[below(rng, len(made))] = {"id": some(), "n": 5, "term": "x" * 40000}
        return made

    def values():
        made = {"n": below(rng, 1 << 40), "m": -below(rng, 5), "r": below(rng, 9) / 4, "q": -0.0, "z": b64(bytes(below(rng, 12))), "late": below(rng, 3),
                "stock": pick(rng, words)}
        made = {name: value for name, value in made.items() if rng.random() < 0.25}
        if soft and rng.random() < 0.15:
            made["gone"] = 1
        if refuse and rng.random() < 0.05:
            made["skipped"] = 1
        return made

    def term():
        kind = rng.random()
        return ["id", some()] if kind < 0.7 else ["tag", f"t{below(rng, 60)}"] if kind < 0.9 else ["body", pick(rng, words)]

    if refuse:
        yield {"id": "0", "skipped": 1, "term": "t", "point": 7}
    for _ in range(count):
        kind = rng.random()
        if kind < 0.5:
            made = documents()
            yield made[0] if len(made) == 1 else {"op": "add", "docs": made}
        elif kind < 0.66:
            yield update(some(), *documents())
        elif kind < 0.76:
            yield {"op": "delete", "term": term()} if rng.random() < 0.7 else {"op": "delete", "terms": [term() for _ in range(below(rng, 4))]}
        elif kind < 0.93:
            yield {"op": "update_doc_values", "term": term(), "fields": values()}
        elif kind < 0.97:
            yield FLUSH
        elif kind < 0.997:
            yield {"op": "commit", "user_data": {"left": str(below(rng, 100))}} if rng.random() < 0.3 else COMMIT
        else:
            yield ALL


# Of what a stream and its index are made; each with the next way to write segments. None has a sort, a parent field and refused
# documents: Lucene fails to merge a sorted segment whose last document has no parent's value, its own as well as postern's.
KINDS = [{}, {"soft": True}, {"refuse": True}, {"parent": True, "refuse": True}, {"sort": RANK, "parent": True}, {"sort": RANK, "parent": True, "soft": True}]

