#!/usr/bin/env python3
"""Mappings and documents: what a node makes of each case of mapping_cases.py, and what we make of it.

For each case: is the mapping taken, is each document taken, what is the mapping afterwards, and is the Lucene index the same in
content and layout (field order, stored order, statistics, points). One node, one JVM of the oracle.

test_mappings.py BUILD_DIR [NAME...]: all cases, or those whose name begins with one of the words. 77: cannot run here.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import kinds_cases  # noqa: E402, F401  (adds its cases to those of mapping_cases)
import mapping_cases  # noqa: E402
import native  # noqa: E402, F401  (makes the oracle's module known)
import oracle  # noqa: E402
from node import Node, why_not  # noqa: E402

INDEX = "case"
OURS = "ours"


def node_side(node, case):
    """(refused reason or None, statuses, mapping, folder of the shard)."""
    node.delete(INDEX)
    settings = {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "-1", **case.settings}
    status, answer = node.request("PUT", INDEX, {"settings": settings, "mappings": case.mapping})
    if status >= 300:
        return json.dumps(answer)[:300], [], None, None
    items = node.bulk(case.bulk(), INDEX) if case.documents else []
    statuses = [item["index"]["status"] for item in items]
    reasons = [json.dumps(item["index"].get("error", ""))[:300] for item in items]
    node.flush(INDEX)
    return None, list(zip(statuses, reasons)), node.mappings(INDEX), node.shard_folder(INDEX)


def without_redundant(mapping):
    """Without include_in_root where include_in_parent is: a node drops it, if it says nothing new, at the first change of the mapping."""
    if not isinstance(mapping, dict):
        return mapping
    return {key: without_redundant(value) for key, value in mapping.items() if key != "include_in_root" or "include_in_parent" not in mapping}


def as_shown(node, mapping, case):
    """A mapping of ours as a node shows it: with its own spelling of booleans, without what it drops."""
    node.delete(OURS)
    status, answer = node.request("PUT", OURS, {"settings": {"number_of_shards": 1, "number_of_replicas": 0, **case.settings}, "mappings": mapping})
    return node.mappings(OURS) if status < 300 else answer


def our_side(program, case, folder):
    (folder / "mapping.json").write_text(json.dumps({"mappings": case.mapping, "settings": case.settings}))
    (folder / "bulk.ndjson").write_text(case.bulk())
    done = subprocess.run([program, folder / "mapping.json", folder / "bulk.ndjson", folder / "ours"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        return f"failed: {done.stderr}", [], None
    lines = done.stdout.splitlines()
    if lines[0].startswith("refused "):
        return lines[0], [], None
    return None, [(int(line[:3]), line[4:]) for line in lines[:-1]], json.loads(lines[-1])


def problems(node, program, case, folder, altered=None):
    """What differs, as lines. `altered`: our side gets this case instead."""
    refused, theirs, mapping, shard = node_side(node, case)
    our_refused, ours, our_mapping = our_side(program, altered or case, folder)
    if case.not_ours is not None:
        return [] if our_refused and case.not_ours in our_refused else [f"should be refused ({case.not_ours}): {our_refused}"]
    if refused or our_refused:
        return [] if refused and our_refused else [f"mapping: node {refused or 'takes it'}, we {our_refused or 'take it'}"]
    found = []
    for (_, source, *_), (status, reason), (our_status, our_reason) in zip(case.documents, theirs, ours):
        if status != our_status:
            found.append(f"document {json.dumps(source)[:150]}: node {status} {reason}, we {our_status} {our_reason}")
    if len(ours) != len(theirs):
        found.append(f"{len(theirs)} answers, ours {len(ours)}")
    if mapping != our_mapping:
        taken = as_shown(node, our_mapping, case)
        if without_redundant(mapping) != without_redundant(taken):
            found.append(f"mapping: node {json.dumps(mapping, sort_keys=True)[:4000]}\n      ours {json.dumps(taken, sort_keys=True)[:4000]}")
    if any(status == 201 for status, _ in theirs) and case.same_index:
        code, output = oracle.call("compare", shard, folder / "ours", "--layout", "--max", "12")
        if code > 1:
            found.append(output[-500:])
        found += [line for line in output.splitlines()
                  if line.startswith("DIFF ") and not line.startswith("DIFF commit user data") and "compound" not in line]
    return found


def sees_a_changed_word(node, program, folder):
    """The judge itself: one word of one document, altered, must show."""
    folder.mkdir()
    documents = [(str(n), json.dumps({"t": f"word{n} and more", "n": n}), None) for n in range(20)]
    changed = [(i, s.replace("word7 ", "word8 "), r) for i, s, r in documents]
    case = mapping_cases.Case("changed", mapping_cases.fields(t="text", n="long"), documents, {})
    found = problems(node, program, case, folder, mapping_cases.Case("changed", case.mapping, changed, {}))
    return any("word7" in line for line in found)


def main():
    program = pathlib.Path(sys.argv[1]) / "parsed_shard"
    words = tuple(sys.argv[2:])
    for reason in (why_not(), oracle.why_not()):
        if reason is not None:
            print(f"mappings: SKIPPED, nothing was compared with OpenSearch: {reason}")
            return 1 if os.environ.get("POSTERN_REQUIRE_TWIN") == "1" else 77
    bad = 0
    cases = [case for case in mapping_cases.CASES if not words or case.name.startswith(words)]
    with tempfile.TemporaryDirectory(prefix="postern-mappings-") as work:
        work = pathlib.Path(work)
        with Node(work / "data", work / "repo") as node:
            if not sees_a_changed_word(node, program, work / "changed"):
                print("an altered word of ours is not seen")
                bad += 1
            for number, case in enumerate(cases):
                folder = work / str(number)
                folder.mkdir()
                found = problems(node, program, case, folder)
                if found:
                    bad += 1
                    print(f"{case.name}:")
                    for line in found:
                        print(f"    {line}")
        oracle.JVM.stop()
    documents = sum(len(case.documents) for case in cases)
    print(f"{len(cases)} cases, {documents} documents: {bad} with differences" if bad else f"{len(cases)} cases, {documents} documents: ok")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
