"""What takes several steps: appending to each other's index, the write lock, schema conflicts, and whether a change is seen."""
import json
import random
import subprocess

import cases
import changes_scenarios
import columns_edges
import index_files
import inputs
import knn
import oracle

OPTIONS = cases.PLAIN + cases.SPEED + cases.WHOLE


def part(folder, name, first, count, schema=inputs.MIXED_SCHEMA):
    words = inputs.vocabulary(random.Random(first), 300)
    rng = random.Random(first + 1)
    return cases.write(folder, name, lambda _: (inputs.make_inputs.mixed_document(rng, words, first + i) for i in range(count)), schema, 0, True)


def append_in_turns(postern, folder, tally):
    """Both write into one index in turns; the result is that of Lucene alone."""
    parts = [part(folder, f"append{i}", 1000 * i, 40 + 17 * i) for i in range(5)]
    alone, shared = folder / "append_lucene", folder / "append_shared"
    for start in (0, 1):
        for out in (alone, shared):
            subprocess.run(["rm", "-rf", out], check=True)
        for i, (docs, schema) in enumerate(parts):
            more = ("--append",) if i else ()
            code, output = oracle.call("build", docs, schema, alone, *OPTIONS, *more)
            tally.check(f"append round {i}: Lucene alone", code == 0, output)
            if i % 2 == start:
                code, _, output = postern.index(docs, schema, shared, *OPTIONS, *more)
            else:
                code, output = oracle.call("build", docs, schema, shared, *OPTIONS, *more)
            tally.check(f"append round {i}, {'postern' if i % 2 == start else 'Lucene'} writes", code == 0, output)
        for what in (("check", shared, "--deep"), ("compare", alone, shared, "--layout")):
            code, output = oracle.call(*what)
            tally.check(f"appending in turns, {'postern' if start == 0 else 'Lucene'} first: {what[0]}", code == 0, output)
        differences = index_files.differences(alone, shared)
        tally.check("appending in turns: files are identical", not differences, "\n".join(differences))


def merged_by_lucene(postern, folder, tally):
    """Lucene merges segments of postern's into one: terms are found in it, and its vectors and columns are those of its own."""
    schema = columns_edges.vectors_schema()
    docs, schema_file = cases.write(folder, "merged", lambda r: columns_edges.vectors(r, 90), schema, 11, True)
    merge, _ = cases.write(folder, "merge", lambda r: [{"op": "force_merge", "segments": 1}], schema, 0, True)
    queries = folder / "queries.txt"
    queries.write_text("".join(f"plain:w{n}\nwith_positions:w{n}\n" for n in (0, 1, 2, 5, 40)) + "plain:\"w0 w1\"\n")
    options, skip = cases.PLAIN + cases.SPEED + cases.flush_at(37), ("--on-error", "skip")
    found = []
    for name in ("lucene", "postern"):
        out = folder / f"merged_{name}"
        if name == "lucene":
            code, output = oracle.call("build", docs, schema_file, out, *options, *skip)
        else:
            code, _, output = postern.index(docs, schema_file, out, *options, *skip)
        tally.check(f"merged by Lucene: {name} writes several segments", code == 0 and len(list(out.glob("*.si"))) == 3, output)
        code, output = oracle.call("build", merge, schema_file, out, "--append", "--compound", "false", "--ram-mb", "64")
        tally.check(f"merged by Lucene: {name}'s segments become one", code == 0 and len(list(out.glob("*.si"))) == 1, output)
        code, output = oracle.call("search", out, queries, "--top", "100")
        tally.check(f"merged by Lucene: the index of {name} is searched", code == 0 and '"total": 0' not in output.splitlines()[0], output)
        found.append(output)
    tally.check("merged by Lucene: queries find the same with the same scores", found[0] == found[1], "\n".join(found))
    code, output = oracle.call("compare", folder / "merged_lucene", folder / "merged_postern", "--layout")
    tally.check("merged by Lucene: same content", code == 0, output)


def lock_is_respected(postern, folder, tally, self_test):
    docs, schema = part(folder, "lock", 77, 30)
    index = folder / "locked"
    code, _, output = postern.index(docs, schema, index, *OPTIONS)
    tally.check("lock: first build", code == 0, output)
    before = sorted(p.name for p in index.iterdir() if p.name != "write.lock")
    holder = subprocess.Popen([oracle.ORACLE, "hold", index], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        tally.check("lock: Lucene takes it", holder.stdout.readline().strip() == "HOLDING")
        code, _, output = postern.index(docs, schema, index, *OPTIONS, "--append")
        tally.check("lock: postern refuses while Lucene holds it", code not in (0, -11, -6) and (self_test or "lock" in output.lower()),
                    f"exit code {code}: {output}")
        after = sorted(p.name for p in index.iterdir() if p.name != "write.lock")
        tally.check("lock: the refused writer changed nothing", before == after, f"{before}\n{after}")
    finally:
        holder.stdin.close()
        holder.wait()
    code, _, output = postern.index(docs, schema, index, *OPTIONS, "--append")
    tally.check("lock: postern writes once it is free, although the file is still there", code == 0, output)
    if self_test:
        return
    # The reverse: a postern that waits for its input has the lock.
    command = [postern.path, "index", "--out", index, "--schema", schema, "--append", "--quiet", "--json", "-"]
    writer = subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        # It has the lock before it reads: more than a pipe's buffer full of documents means it has begun to read.
        text = docs.read_text()
        while len(text) < 1 << 20:
            text += text
        writer.stdin.write(text)
        writer.stdin.flush()
        code, output = oracle.call("build", docs, schema, index, *OPTIONS, "--append")
        tally.check("lock: Lucene refuses while postern holds it", code == 2 and "LockObtainFailed" in output, output)
        code, _, output = postern.index(docs, schema, index, *OPTIONS, "--append")
        tally.check("lock: a second postern is refused", code not in (0, -11, -6) and "lock" in output.lower(), output)
    finally:
        output, _ = writer.communicate()
    tally.check("lock: the holder finishes", writer.returncode == 0, output)
    code, output = oracle.call("check", index, "--deep")
    tally.check("lock: the index is good afterwards", code == 0, output)


def conflicts_are_refused(postern, folder, tally):
    """A second writer's schema disagrees with the index: the same documents are refused, the rest is indexed."""
    first = cases.write(folder, "conflict1", lambda r: inputs.conflicts(r, 20, True), inputs.conflict_schema(True), 5, True)
    second = cases.write(folder, "conflict2", lambda r: inputs.conflicts(r, 60, False), inputs.conflict_schema(False), 6, True)
    results = []
    for name in ("lucene", "postern"):
        out = folder / f"conflict_{name}"
        refused = []
        for (docs, schema), more in ((first, ()), (second, ("--append",))):
            if name == "lucene":
                code, output = oracle.call("build", docs, schema, out, *OPTIONS, "--on-error", "skip", *more)
                refused.append(sum(1 for line in output.splitlines() if " skipped: " in line))
            else:
                code, report, output = postern.index(docs, schema, out, *OPTIONS, "--on-error", "skip", *more)
                refused.append((report or {}).get("refused"))
            tally.check(f"schema conflicts: {name} builds", code == 0, output)
        results.append(refused)
    tally.check("schema conflicts: the same number is refused, and some are", results[0] == results[1] and results[0][1] > 5, results)
    differences = index_files.differences(folder / "conflict_lucene", folder / "conflict_postern")
    tally.check("schema conflicts: files are identical", not differences, "\n".join(differences))
    for what in (("check", folder / "conflict_postern", "--deep"),
                 ("compare", folder / "conflict_lucene", folder / "conflict_postern", "--layout")):
        code, output = oracle.call(*what)
        tally.check(f"schema conflicts: {what[0]}", code == 0, output)


def many_threads_lines(rng, documents):
    """Documents, some in blocks and some refused, and operations between them."""
    words = inputs.vocabulary(rng, 3000)
    made = 0
    while made < documents:
        size = rng.choice((1, 1, 1, 1, 3)) if made % 7 == 0 else 1
        block = [inputs.make_inputs.mixed_document(rng, words, made + i) for i in range(size)]
        made += size
        if made % 97 == 0:
            block[-1]["tag"] = ["x" * 40000]
        yield block[0] if size == 1 else {"op": "add", "docs": block}
        if made % 1500 == 0:
            yield {"op": "commit", "user_data": {"documents": str(made)}}
        elif made % 900 == 0:
            yield {"op": "flush"}


def many_threads(postern, folder, tally):
    """Several threads write what one writes, in other segments: all documents once, the refused ones too, blocks whole."""
    docs, schema = cases.write(folder, "threads", lambda r: many_threads_lines(r, 9000), inputs.MIXED_SCHEMA, 21, True)
    lucene = folder / "threads_lucene"
    code, output = oracle.call("build", docs, schema, lucene, *OPTIONS, "--on-error", "skip")
    refused = sum(1 for line in output.splitlines() if " skipped: " in line)
    tally.check("threads: Lucene builds, and refuses some", code == 0 and refused > 20, output[-2000:])
    for threads, more in (("2", ()), ("5", ("--ram-mb", "2")), ("3", ("--max-buffered-docs", "150"))):
        what, out = f"threads {threads} {' '.join(more)}", folder / f"threads_{threads}"
        code, report, output = postern.index(docs, schema, out, *cases.PLAIN, *cases.SPEED, *(more or cases.WHOLE), "--on-error", "skip",
                                             "--threads", threads)
        tally.check(f"{what}: builds", code == 0 and report and report["refused"] == refused, output[-2000:])
        code, output = oracle.call("check", out, "--deep")
        tally.check(f"{what}: Lucene reads and merges it", code == 0, output)
        code, output = oracle.call("compare", lucene, out, "--by-id", "id")
        tally.check(f"{what}: same content", code == 0, output)


def changes_are_seen(postern, folder, tally):
    """The test of the test: one altered word, number or flipped byte must not pass."""
    docs, schema = part(folder, "seen", 500, 60)
    lines = docs.read_text().splitlines()
    lucene, out = folder / "seen_lucene", folder / "seen_postern"
    code, output = oracle.call("build", docs, schema, lucene, *OPTIONS)
    tally.check("changes: Lucene builds", code == 0, output)
    alterations = {
        "a word of the last body": ("body", lambda v: v + " altered"),
        "a stored number": ("l", lambda v: 4711),
        "the order of two values": ("tag", lambda v: ["red", "red", "blue"]),
        "one token's start offset": ("body_offsets", lambda v: [" " + v[0]] + v[1:]),
    }
    for what, (field, change) in alterations.items():
        document = json.loads(lines[-1])
        document[field] = change(document[field])
        altered = folder / "altered.jsonl"
        altered.write_text("\n".join(lines[:-1] + [json.dumps(document)]) + "\n")
        code, _, output = postern.index(altered, schema, out, *OPTIONS, "--create")
        tally.check(f"changes: {what}: builds", code == 0, output)
        code, output = oracle.call("compare", lucene, out, "--ignore-segmentation")
        tally.check(f"changes: {what} is seen by the comparison", code == 1 and "DIFF" in output, output)
        tally.check(f"changes: {what} is seen in the files", index_files.differences(lucene, out))
    for suffix in (".tim", ".doc", ".pos", ".fdt", ".nvd", ".fnm"):
        path = next(p for p in out.iterdir() if p.suffix == suffix)
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0x10
        path.write_bytes(bytes(data))
        code, output = oracle.call("check", out)
        tally.check(f"changes: a flipped bit in {suffix} is seen by Lucene", code == 1, output)
        data[len(data) // 2] ^= 0x10
        path.write_bytes(bytes(data))
    code, _, output = postern.index(docs, schema, out, *cases.COMPOUND, *cases.SPEED, *cases.WHOLE, "--create")
    tally.check("changes: a compound index", code == 0, output)
    for suffix in (".cfs", ".cfe"):
        path = next(p for p in out.iterdir() if p.suffix == suffix)
        data = path.read_bytes()
        for at in range(len(data) - 20, len(data)):
            path.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1:])
            code, output = oracle.call("check", out)
            tally.check(f"changes: byte {at} of {len(data)} of {suffix} is seen by Lucene", code == 1, output)
        path.write_bytes(data)
    code, output = oracle.call("check", out)
    tally.check("changes: the compound index is good again", code == 0, output)


def run(postern, folder, tally, seed, self_test):
    folder.mkdir(parents=True, exist_ok=True)
    before = (tally.passed, len(tally.failed))
    append_in_turns(postern, folder, tally)
    merged_by_lucene(postern, folder, tally)
    lock_is_respected(postern, folder, tally, self_test)
    conflicts_are_refused(postern, folder, tally)
    if not self_test:
        many_threads(postern, folder, tally)
    changes_are_seen(postern, folder, tally)
    changes_scenarios.run(postern, folder / "changes", tally, seed, self_test)
    knn.recall(postern, folder, tally, seed, OPTIONS)
    print(f"scenarios: {tally.passed - before[0]} passed, {len(tally.failed) - before[1]} failed", flush=True)
