"""Two indexes of one node: what differs between them, told in words. Ours comes first, the one filled through _bulk second."""
import json

import queries

FLAT = 300  # of a difference's text


def _clean(value):
    """An answer without the name of its index and without how long it took."""
    if isinstance(value, dict):
        return {k: _clean(v) for k, v in value.items() if k not in ("took", "_index", "_shards", "index_uuid")}
    return [_clean(v) for v in value] if isinstance(value, list) else value


def _first(a, b, path=""):
    """Where two answers first differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            if key not in a or key not in b or a[key] != b[key]:
                return _first(a.get(key), b.get(key), f"{path}.{key}")
    if isinstance(a, list) and isinstance(b, list):
        for i, (x, y) in enumerate(zip(a, b)):
            if x != y:
                return _first(x, y, f"{path}[{i}]")
        return f"{path}: {len(a)} and {len(b)} entries"
    return f"{path}: {json.dumps(a, ensure_ascii=False)[:FLAT]} and {json.dumps(b, ensure_ascii=False)[:FLAT]}"


def _without_scores(body):
    if body.get("sort") != queries.BY_SCORE:
        return body
    body = {**body, "sort": queries.BY_KEY}
    return body


def _strip_scores(value):
    if isinstance(value, dict):
        return {k: _strip_scores(v) for k, v in value.items() if k not in ("_score", "max_score", "sort")}
    return [_strip_scores(v) for v in value] if isinstance(value, list) else value


def _msearch(node, index, bodies):
    text = "".join(f"{json.dumps({'index': index})}\n{json.dumps(body)}\n" for body in bodies)
    answers = node.must("POST", "_msearch", text, content_type="application/x-ndjson")["responses"]
    return [_clean(answer) for answer in answers]


def searches(node, ours, native, some_queries, scores=True):
    """[what differs], with one entry for each query of which the answers differ in any way, scores to the last bit included.
    A query that fails, or finds nothing in the native index, is an entry as well: it would prove nothing."""
    bodies = [body if scores else _without_scores(body) for _, body in some_queries]
    found = []
    for (name, _), a, b in zip(some_queries, _msearch(node, ours, bodies), _msearch(node, native, bodies)):
        if "error" in b:
            found.append(f"{name}: the native index answers {json.dumps(b['error'])[:FLAT]}")
            continue
        if (b["hits"]["total"]["value"] == 0) != (name in queries.NONE) and scores:
            found.append(f"{name}: {b['hits']['total']['value']} hits in the native index prove nothing")
        if not scores:
            a, b = _strip_scores(a), _strip_scores(b)
        if a != b:
            found.append(f"{name}: {_first(a, b)}")
    return found


def _batches(rows, size=400):
    return [rows[i:i + size] for i in range(0, len(rows), size)]


def _ids(rows):
    return {"docs": [{"_id": row.id, **({"routing": row.routing} if row.routing is not None else {})} for row in rows]}


def sources(node, index, rows):
    """Every document is found by its id (and routing), in its first version, with the very bytes that went in; [what is not]."""
    found = []
    for batch in _batches(rows):
        status, raw = node.raw("POST", f"{index}/_mget", _ids(batch))
        if status != 200:
            return [f"_mget: {status} {raw[:FLAT]}"]
        answers = json.loads(raw)["docs"]
        position = 0
        for row, answer in zip(batch, answers):
            if not answer.get("found"):
                found.append(f"{row.id!r} (routing {row.routing}) is not found: {json.dumps(answer)[:FLAT]}")
                continue
            if (answer["_id"], answer["_version"], answer.get("_routing")) != (row.id, 1, row.routing):
                found.append(f"{row.id!r} (routing {row.routing}): {json.dumps({**answer, '_source': 0})}")
            mark = b'"found":true,"_source":'
            position = raw.index(mark, position) + len(mark)
            if not raw.startswith(row.source.encode() + b"}", position):
                found.append(f"{row.id!r}: not the bytes that went in: {raw[position:position + FLAT].decode(errors='replace')}")
    return found


def documents(node, ours, native, rows):
    """[documents that GET finds in one but not in the other, or with another version, routing or content]."""
    found = []
    for batch in _batches(rows):
        a, b = (node.must("POST", f"{index}/_mget", _ids(batch))["docs"] for index in (ours, native))
        for x, y in zip(a, b):
            keys = ("_id", "found", "_version", "_routing", "_source")
            if [x.get(k) for k in keys] != [y.get(k) for k in keys]:
                found.append(_first(x, y, x["_id"]))
    return found


def sequence_numbers(node, index):
    """{shard: (max_seq_no, local_checkpoint, documents)} of the primaries."""
    shards = node.must("GET", f"{index}/_stats/docs?level=shards")["indices"][index]["shards"]
    return {n: (s["seq_no"]["max_seq_no"], s["seq_no"]["local_checkpoint"], s["docs"]["count"]) for n, (s, *_) in sorted(shards.items())}


def mappings(node, ours, native):
    """Ours is shown as it was written until the first change, so it is compared in the node's own spelling."""
    node.create("spelling", node.mappings(ours))
    a, b = node.mappings("spelling"), node.mappings(native)
    node.delete("spelling")
    return [] if a == b else [_first(a, b, "mappings")]


def items(ours, native):
    """Differences between the answers to the actions of one _bulk."""
    found = []
    for i, (x, y) in enumerate(zip(_clean(ours), _clean(native))):
        (_, x), (_, y) = *x.items(), *y.items()
        for answer in (x, y):  # where the sequence begins again is up to the node
            answer.pop("_seq_no", None)
            answer.pop("_primary_term", None)
            if "error" in answer:
                answer["error"] = answer["error"]["type"]
        if x != y:
            found.append(f"action {i}: {_first(x, y)}")
    return found
