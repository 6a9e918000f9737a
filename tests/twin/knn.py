"""KNN vectors for the twin: inputs whose files must be identical, and the recall of graphs over vectors whose scores Lucene rounds otherwise."""
import array
import json
import math
import random
import re

import oracle
from inputs import below, pick

SIMILARITIES = ("l2", "cosine", "dot_product", "max_inner_product")
# Dimensions on both sides of what vector instructions take at once; few distinct values make ties.
FLOATS = {"l2": 8, "cosine": 33, "dot_product": 2, "max_inner_product": 17}
BYTES = {"l2": 5, "cosine": 64, "dot_product": 1, "max_inner_product": 31}


def vector(name, dimension, kind, similarity):
    return {"name": name, "type": "knn_vector", "dimension": dimension, "element_type": kind, "similarity": similarity}


def schema(**more):
    fields = [{"name": "id", "type": "keyword", "store": True}, {"name": "key", "type": "keyword"},
              {"name": "n", "type": "int", "doc_values": "numeric"}]
    for s in SIMILARITIES:
        fields += [vector("f_" + s, FLOATS[s], "float32", s), vector("b_" + s, BYTES[s], "byte", s), vector("tie_" + s, 3, "byte", s)]
    fields += [vector("zero", 4, "float32", "dot_product"), vector("rare", 1024, "byte", "l2"), vector("rare_float", 100, "float32", "dot_product")]
    return {"fields": fields, **more}


def quarters(rng, dimension):
    """Sums of their products are exact in single precision, so all scores are the same bits everywhere."""
    return [(below(rng, 65) - 32) / 4 for _ in range(dimension)]


def value(rng, field):
    name, dimension = field["name"], field["dimension"]
    if name == "zero":
        return [0.0] * dimension if below(rng, 3) == 0 else quarters(rng, dimension)
    if name.startswith("tie"):
        return [1 + below(rng, 4) for _ in range(dimension)]
    if field["element_type"] == "byte":
        return [below(rng, 256) - 128 for _ in range(dimension)]
    return quarters(rng, dimension)


def documents(rng, count, refuse=True):
    fields = [f for f in schema()["fields"] if f["type"] == "knn_vector"]
    odds = {f["name"]: 0.02 if f["name"].startswith("rare") else pick(rng, [1.0, 1.0, 0.97]) for f in fields}
    odds["zero"] = 0.3
    for i in range(count):
        pairs = [(f["name"], value(rng, f)) for f in fields if rng.random() < odds[f["name"]]]
        pairs.insert(below(rng, len(pairs) + 1), ("n", below(rng, 1000)))
        if refuse and i % 23 == 5:  # what came before the error stays
            bad = pick(rng, [("key", "x" * 32767), (fields[0]["name"], value(rng, fields[0]))])
            pairs.insert(below(rng, len(pairs) + 1), bad)
        yield [("id", str(i))] + pairs


def failed_from_the_start(rng, count):
    """A field whose only document fails before its vector is taken, and one whose vector stays."""
    yield [("id", "a"), ("key", "x" * 32767), ("f_l2", quarters(rng, FLOATS["l2"]))]
    yield [("id", "b"), ("b_l2", [1, 2, 3, 4, 5]), ("key", "x" * 32767)]
    for i in range(count):
        yield [("id", str(i)), ("tie_l2", [i % 7, 1, 2])]


def scaled(rng, dimension, centers):
    center = pick(rng, centers) if centers else [0.0] * dimension
    return [x + rng.gauss(0, 0.3 if centers else 1) for x in center]


def recall(postern, folder, tally, seed, options, count=3000, dimension=48):
    """Lucene searches both graphs of the same vectors and finds as much in postern's."""
    rng = random.Random(seed)
    for name in ("random", "clustered"):
        centers = [[rng.gauss(0, 1) for _ in range(dimension)] for _ in range(60)] if name == "clustered" else []
        docs, target, queries = folder / f"{name}.jsonl", folder / f"{name}.schema.json", folder / f"{name}.queries"
        rows = [array.array("f", scaled(rng, dimension, centers)) for _ in range(count + 200)]
        with open(docs, "w") as out:
            for row in rows[:count]:
                out.write(json.dumps({"v": list(row)}) + "\n")
        queries.write_bytes(b"".join(row.tobytes() for row in rows[count:]))
        target.write_text(json.dumps({"fields": [vector("v", dimension, "float32", "l2")]}))
        found = {}
        code, output = oracle.call("build", docs, target, folder / f"{name}_lucene", *options)
        tally.check(f"recall: Lucene builds {name}", code == 0, output)
        code, _, output = postern.index(docs, target, folder / f"{name}_postern", *options)
        tally.check(f"recall: postern builds {name}", code == 0, output)
        for engine in ("lucene", "postern"):
            code, output = oracle.call("knn-recall", folder / f"{name}_{engine}", "v", queries)
            figure = re.search(r'"recall": ([0-9.]+)', output)
            found[engine] = float(figure.group(1)) if code == 0 and figure else math.nan
        tally.check(f"recall: {name}: {found}", found["lucene"] > 0.5 and found["postern"] >= found["lucene"] - 0.005, output)
