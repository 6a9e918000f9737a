#!/usr/bin/env python3
"""What a real node makes of single values, against postern's own reading of them.

  test_values.py BUILD_DIR [--seed N]   the values of values_cases.py: those that are fixed must give what tests/data/opensearch/values.jsonl says,
                                        and the room's unit test (BUILD_DIR/opensearch_test) must agree with the node on random ones
  test_values.py --write                asks the node for the fixed values and writes that file
A line of the file is one field: its mapping, and [text, result] for strings and numbers. A result is null if the document was refused, "" if the field
got no value, else the doc value: a number as Java prints it, milliseconds or nanoseconds since 1970, sixteen bytes in hexadecimal, "lat, lon" of
the encoded point.
"""
import argparse
import calendar
import ipaddress
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import values_cases
from node import Node, why_not

FILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "opensearch" / "values.jsonl"
FORMATS = {"date": "epoch_millis", "date_nanos": "strict_date_optional_time_nanos"}


def nanoseconds(text):
    """Of "2024-02-29T12:30:45.123456789Z"."""
    date, time = text.rstrip("Z").split("T")
    clock, _, fraction = time.partition(".")
    numbers = [int(n) for n in date.split("-") + clock.split(":")]
    return calendar.timegm((*numbers, 0, 0, 0)) * 10**9 + int((fraction + "000000000")[:9])


def spelled(kind, value):
    if kind == "date_nanos":
        return str(nanoseconds(value))
    if kind == "ip":
        address = ipaddress.ip_address(value)
        return (address if address.version == 6 else ipaddress.IPv6Address(b"\0" * 10 + b"\xff\xff" + address.packed)).packed.hex()
    return value if isinstance(value, str) else repr(value)


def ask(node, groups):
    """For each (mapping, JSON texts of values) the results of the values, in order: a field of one index for each mapping."""
    node.delete("values")
    node.create("values", {"dynamic": False, "properties": {f"v{g}": mapping for g, (mapping, _) in enumerate(groups)}},
                settings={"max_result_window": 1000000, "max_docvalue_fields_search": 1000, "mapping.total_fields.limit": 2000})
    places = [(g, i) for g, (_, values) in enumerate(groups) for i in range(len(values))]
    results = [[""] * len(values) for _, values in groups]
    for first in range(0, len(places), 5000):
        part = places[first:first + 5000]
        lines = "".join(f'{{"index":{{"_id":"{g} {i}"}}}}\n{{"v{g}":{groups[g][1][i]}}}\n' for g, i in part)
        for (g, i), item in zip(part, node.bulk(lines, "values")):
            if "error" in item["index"]:
                results[g][i] = None
    node.refresh("values")
    columns = [{"field": f"v{g}", **({"format": FORMATS[m["type"]]} if m["type"] in FORMATS else {})} for g, (m, _) in enumerate(groups)]
    found = node.search("values", {"size": len(places), "docvalue_fields": columns, "sort": ["_doc"], "_source": False})
    for hit in found["hits"]["hits"]:
        g, i = map(int, hit["_id"].split())
        for value, in hit.get("fields", {}).values():
            results[g][i] = spelled(groups[g][0]["type"], value)
    return results


def write(node, groups, path):
    groups = list(groups)
    answers = ask(node, [(mapping, [json.dumps(s) for s in strings] + numbers) for mapping, strings, numbers in groups])
    with open(path, "w", encoding="utf-8") as out:
        for (mapping, strings, numbers), results in zip(groups, answers):
            line = {"mapping": mapping, "strings": list(zip(strings, results)), "numbers": list(zip(numbers, results[len(strings):]))}
            out.write(json.dumps(line, separators=(",", ":")) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40, help="random values for each field")
    options = parser.parse_args()
    reason = why_not()
    if reason is not None:
        print(f"cannot run here: {reason}")
        return 77
    with tempfile.TemporaryDirectory(prefix="postern-values-") as folder, Node(folder + "/data", folder + "/repo") as node:
        if options.write:
            write(node, values_cases.fixed(), FILE)
            return 0
        now = pathlib.Path(folder, "fixed.jsonl")
        write(node, values_cases.fixed(), now)
        if now.read_bytes() != FILE.read_bytes():
            print(f"the node no longer gives what {FILE.name} says; test_values.py --write, then git diff")
            return 1
        fresh = pathlib.Path(folder, "seeded.jsonl")
        write(node, values_cases.seeded(options.seed, options.count), fresh)
        print(f"seed {options.seed}", flush=True)
        return subprocess.run([options.build / "opensearch_test", "--gtest_filter=OpenSearchValues.*"], env={**os.environ, "POSTERN_OPENSEARCH_VALUES": str(fresh)}).returncode


if __name__ == "__main__":
    sys.exit(main())
