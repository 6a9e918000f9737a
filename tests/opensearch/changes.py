"""What is done to a served index: deletes, updates, conflicts, versions, new documents with fields it has never seen."""
import json

from documents import Row


def _line(action, row, **more):
    meta = {"_id": row.id, **({"routing": row.routing} if row.routing is not None else {}), **more}
    return json.dumps({action: meta})


def new_rows(seed, count=40):
    """Documents the index does not have yet."""
    made = [Row(100_000 + number, f"{seed}/new") for number in range(count)]
    for row in made:
        row.source = json.dumps({**json.loads(row.source), "later": {"text": "a gate that came later", "number": row.number}})
    return made


def actions(rows, seed, current):
    """(NDJSON, expected): each kind of change to some of the documents; `current`: {id: (seq_no, primary_term)} of this index.
    Expected: the statuses that the actions must have."""
    lines, expected = [], []

    def add(status, action, row, body=None, **more):
        lines.append(_line(action, row, **more))
        if body is not None:
            lines.append(body if isinstance(body, str) else json.dumps(body))
        expected.append(status)

    for row in rows:
        other = Row(row.number, f"{seed}/again")
        kind = row.number % 25
        if kind % 5 == 0:
            add(200, "delete", row)
        elif kind % 5 == 1:
            add(200, "index", row, other.source)
        elif kind % 5 == 2:
            add(200, "update", row, {"doc": {"title": "The gate partly changed", "partial": row.number}})
        elif kind % 5 == 3:
            add(409, "create", row, other.source)
        elif kind == 4:
            add(409, "index", row, other.source, version=1, version_type="external")
        elif kind == 9:
            add(200, "index", row, other.source, version=7, version_type="external")
        elif kind == 14:
            number, term = current[row.id]
            add(200, "index", row, other.source, if_seq_no=number, if_primary_term=term)
        elif kind == 19:
            number, term = current[row.id]
            add(409, "delete", row, if_seq_no=number + 1, if_primary_term=term)
        else:
            add(200, "delete", row)
            add(201, "create", row, other.source)
    for row in new_rows(seed):
        add(201, "create", row, row.source)
    return "\n".join(lines) + "\n", expected


def apply(node, index, rows, seed):
    """(answers, what was not as expected)."""
    current = {}
    asked = [row for row in rows if row.number % 25 in (14, 19)]
    for row in asked:
        path = f"{index}/_mget"
        answer, = node.must("POST", path, {"docs": [{"_id": row.id, **({"routing": row.routing} if row.routing is not None else {})}]})["docs"]
        current[row.id] = (answer.get("_seq_no", -9), answer.get("_primary_term", -9))
    text, expected = actions(rows, seed, current)
    answers = node.bulk(text, index)
    wrong = []
    for status, item in zip(expected, answers):
        (kind, answer), = item.items()
        if answer["status"] != status:
            wrong.append(f"{kind} {answer['_id']!r}: {answer['status']} instead of {status}: {json.dumps(answer.get('error'))}")
    node.refresh(index)
    return answers, wrong
