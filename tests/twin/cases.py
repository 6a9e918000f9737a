"""The matrix: which inputs are built with which options, and how the indexes are compared."""
import dataclasses
import gzip
import json
import random

import changes
import columns
import columns_edges
import columns_options
import inputs
import knn
import sorting

PLAIN = ("--compound", "false")
COMPOUND = ("--compound", "true")
SPEED = ("--stored-mode", "speed")
COMPRESSION = ("--stored-mode", "compression")
POOLS = ("inline", "separate", "shared")


@dataclasses.dataclass
class Case:
    name: str
    docs: object
    schema: object
    # Option sets that both sides get: the flush points are the same, so every file must be.
    exact: list
    # Options of postern's alone (RAM budgets): the content must be that of Lucene's build with the first exact set.
    budgets: list = dataclasses.field(default_factory=list)
    skip: bool = False  # refused documents are expected
    # Aspect of lucene_inspect, and for some fields a part of what it must say, so that the input does what it is there for.
    found: tuple = None
    pools: tuple = POOLS  # which layouts are worth comparing: fields without terms are the same in all


def flush_at(documents):
    return ("--max-buffered-docs", str(documents), "--ram-mb", "1900", "--no-merge")


WHOLE = flush_at(10000000)


def write(folder, name, lines, schema, seed, ascii_only):
    docs = folder / f"{name}.jsonl"
    with open(docs, "w", encoding="utf-8") as out:
        for line in lines(random.Random(seed)):
            out.write(inputs.to_line(line, ascii_only) + "\n")
    target = folder / f"{name}.schema.json"
    target.write_text(json.dumps(schema))
    return docs, target


def column_cases(case, seed, n):
    """Columns, points and vectors at the edges of their encodings, and combinations of options: all of them in the long mode."""
    one = ("inline",)
    yield case("column_sets", lambda r: columns_edges.sets(r, 0), columns_edges.sets_schema(), [PLAIN + SPEED + WHOLE], pools=one,
               found=("docvalues", columns_edges.SETS_FOUND))
    numbers = columns_edges.numbers_schema(random.Random(seed))
    yield case("column_numbers", lambda r: columns_edges.numbers(r, 0), numbers, [PLAIN + SPEED + WHOLE] + ([COMPOUND + SPEED + flush_at(20000)] if n > 1 else []),
               pools=one, budgets=[("--ram-mb", "4")] if n > 1 else [], found=("docvalues", columns_edges.NUMBERS_FOUND))
    yield case("column_terms", lambda r: columns_edges.terms(r, 0), columns_edges.terms_schema(random.Random(seed)),
               [PLAIN + SPEED + WHOLE, COMPOUND + SPEED + flush_at(300)], pools=one, budgets=[("--ram-mb", "1")])
    if n > 1:
        yield case("column_ordinals", columns_edges.ordinals, columns_edges.ORDINALS_SCHEMA, [PLAIN + SPEED + WHOLE], pools=one,
                   found=("docvalues", {"s": "width 24"}))
    yield case("column_points", lambda r: columns_edges.points(r, 0), columns_edges.points_schema(), [PLAIN + SPEED + WHOLE], pools=one,
               found=("points", columns_edges.POINTS_FOUND))
    yield case("column_vectors", lambda r: columns_edges.vectors(r, 300 * n), columns_edges.vectors_schema(),
               [PLAIN + SPEED + WHOLE, COMPOUND + COMPRESSION + flush_at(70)], skip=True)
    schema = columns_options.schema(random.Random(seed), 160 if n == 1 else len(columns_options.combinations()))
    yield case("column_options", lambda r: columns_options.documents(r, schema["fields"], 120 * n), schema,
               [PLAIN + SPEED + WHOLE, COMPOUND + SPEED + flush_at(50)])


def generated(folder, seed, big):
    """The cases on generated input. `big` is 1 in the short mode."""

    def case(name, lines, schema, exact, ascii_only=True, **more):
        docs, target = write(folder, name, lines, schema, seed, ascii_only)
        return Case(name, docs, target, exact, **more)

    n = big
    return [
        case("options", lambda r: inputs.options(r, 500 * n), inputs.options_schema(),
             [PLAIN + SPEED + WHOLE, PLAIN + COMPRESSION + flush_at(73), COMPOUND + SPEED + flush_at(200)], budgets=[("--ram-mb", "1")]),
        case("unicode", lambda r: inputs.unicode_text(r, 400 * n), inputs.UNICODE_SCHEMA,
             [PLAIN + SPEED + WHOLE, COMPOUND + COMPRESSION + flush_at(150)]),
        case("tokens", lambda r: inputs.tokens(r, 700 * n), inputs.TOKENS_SCHEMA,
             [PLAIN + SPEED + WHOLE, COMPOUND + COMPRESSION + flush_at(256)] + ([PLAIN + SPEED + flush_at(2)] if n > 1 else [])),
        case("mixed", lambda r: inputs.mixed(r, 600 * n, 250), inputs.MIXED_SCHEMA,
             [PLAIN + SPEED + WHOLE, PLAIN + COMPRESSION + flush_at(99)], ascii_only=False),
        case("dense", lambda r: inputs.dense(r, 20000 * n), inputs.DENSE_SCHEMA,
             [PLAIN + SPEED + WHOLE, COMPOUND + SPEED + flush_at(8193)], budgets=[("--ram-mb", "1")]),
        case("terms", lambda r: inputs.terms(r, 8000 * n), inputs.TERMS_SCHEMA,
             [PLAIN + SPEED + WHOLE, COMPOUND + SPEED + flush_at(1000)], budgets=[("--ram-mb", "1")] + ([("--ram-mb", "4")] if n > 1 else [])),
        case("stored", lambda r: inputs.stored(r, 1500 * n), inputs.STORED_SCHEMA,
             [PLAIN + SPEED + WHOLE, PLAIN + COMPRESSION + WHOLE, COMPOUND + COMPRESSION + flush_at(400)]),
        case("many_fields", lambda r: inputs.many_fields(r, 700 * n), inputs.many_fields_schema(),
             [PLAIN + SPEED + WHOLE, COMPOUND + SPEED + flush_at(500)]),
        case("columns", lambda r: columns.documents(r, 200 * n, False), columns.schema(),
             [PLAIN + SPEED + WHOLE, COMPOUND + COMPRESSION + flush_at(90)], ascii_only=False, budgets=[("--ram-mb", "1")]),
        case("columns_refused", lambda r: columns.documents(r, 150 * n, True), columns.schema(),
             [PLAIN + SPEED + WHOLE, COMPOUND + SPEED + flush_at(50)], skip=True),
        *column_cases(case, seed, n),
        case("knn", lambda r: knn.documents(r, 1500 * n), knn.schema(),
             [PLAIN + SPEED + WHOLE, COMPOUND + COMPRESSION + flush_at(690)], skip=True, budgets=[("--ram-mb", "1")]),
        case("knn_failed", lambda r: knn.failed_from_the_start(r, 3), knn.schema(), [PLAIN + SPEED + WHOLE], skip=True),
        case("knn_sorted", lambda r: knn.documents(r, 900 * n), knn.schema(index_sort=[{"field": "n", "order": "desc"}]),
             [PLAIN + SPEED + WHOLE, COMPOUND + SPEED + flush_at(700)], skip=True),
        *sorted_cases(case, n),
        *changes_cases(case, seed, n),
        case("long_documents", lambda r: inputs.long_documents(r, 5 * n), inputs.LONG_SCHEMA,
             [PLAIN + SPEED + WHOLE], budgets=[("--ram-mb", "1")]),
        case("operations", lambda r: inputs.operations(r, 900 * n), inputs.OPERATIONS_SCHEMA,
             [PLAIN + SPEED + WHOLE, COMPOUND + COMPRESSION + flush_at(100)]),
        case("hostile", lambda r: inputs.hostile(r, n), inputs.HOSTILE_SCHEMA,
             [PLAIN + SPEED + WHOLE, COMPOUND + COMPRESSION + flush_at(17)] + ([PLAIN + SPEED + flush_at(2)] if n > 1 else []), skip=True,
             budgets=[("--ram-mb", "1")]),
    ]


def sorted_cases(case, big):
    """Each sort in turn with one of the ways to write segments, and one of: good documents, refused ones, blocks, all of it and soft deletes."""
    written = [[PLAIN + SPEED + WHOLE], [COMPOUND + COMPRESSION + flush_at(90)], [PLAIN + COMPRESSION + flush_at(70)]]
    kinds = [{}, {"refuse": 0.1}, {"blocks": 0.4}, {"refuse": 0.1, "blocks": 0.4, "soft": 0.1}]
    for i, (name, keys) in enumerate(sorting.sorts()):
        kind = kinds[i % 4]
        if big == 1 and i % 5 != 0 and len(keys) < 2:
            continue
        yield case(f"sorted_{name}", lambda r, kind=kind: sorting.documents(r, 150 * big, **kind),
                   sorting.schema(keys, "parent" if "blocks" in kind else None, "gone" if "soft" in kind else None),
                   written[i % 3], skip=True)
    yield case("sorted_long", lambda r: sorting.long_lists(r, 5000 * big), sorting.schema([sorting.key("int"), sorting.key("tie")]),
               [PLAIN + SPEED + WHOLE, COMPOUND + SPEED + flush_at(3000)])
    yield case("blocks_unsorted", lambda r: sorting.documents(r, 150 * big, refuse=0.1, blocks=0.5, soft=0.1),
               sorting.schema(None, "parent", "gone"), [PLAIN + SPEED + WHOLE, COMPOUND + SPEED + flush_at(60)], skip=True)


def changes_cases(case, seed, big):
    """Deletes and updates: each situation with one of the layouts, then random streams."""
    for i, (name, (lines, schema, documents)) in enumerate(changes.SITUATIONS.items()):
        compound = (PLAIN, COMPOUND)[i // 3 % 2]
        yield case(f"changes_{name}", lambda r, lines=lines: lines, changes.schema(**schema), [compound + SPEED + (flush_at(documents) if documents else WHOLE)],
                   skip=True, pools=POOLS[i % 3:i % 3 + 1])
    written = [[PLAIN + SPEED + flush_at(23)], [COMPOUND + SPEED + WHOLE], [PLAIN + COMPRESSION + flush_at(5)], [COMPOUND + COMPRESSION + flush_at(60)]]
    for i in range(len(changes.KINDS) if big == 1 else 60):
        kind = changes.KINDS[i % len(changes.KINDS)]
        yield case(f"changes_stream{i}", lambda r, i=i, kind=kind: changes.stream(random.Random(seed * 1000 + i), 80 if i % 4 == 2 else 200 * big, **kind),
                   changes.schema(**{name: value for name, value in kind.items() if name != "refuse"}), written[i % 4], skip=True, pools=POOLS if i < 6 else ("inline",))


def europarl(folder, source, lines):
    """Real text in many languages; `lines` 0 is all of it."""
    docs = folder / "europarl.lines.txt"
    with gzip.open(source, "rb") as text, open(docs, "wb") as out:
        for number, line in enumerate(text):
            if lines and number == lines:
                break
            out.write(line)
    schema = folder / "europarl.schema.json"
    schema.write_text(json.dumps(inputs.LINE_SCHEMA))
    budgets = [("--ram-mb", "1")] if lines else [("--ram-mb", "1"), ("--ram-mb", "3.5"), ("--ram-mb", "16")]
    return Case("europarl", docs, schema, [PLAIN + SPEED + WHOLE, COMPOUND + COMPRESSION + flush_at(1000)], budgets=budgets)
