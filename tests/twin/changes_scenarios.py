"""Deletes and updates over several writers: taking turns with Lucene, several threads, and whether a change is seen."""
import random

import cases
import changes
import index_files
import oracle


def append_in_turns(postern, folder, tally, seed):
    """Both change one index in turns, each what the other wrote; the result is that of Lucene alone."""
    for number, kind in enumerate(changes.KINDS):
        fields = changes.schema(**{name: value for name, value in kind.items() if name != "refuse"})
        options = (cases.PLAIN, cases.COMPOUND)[number % 2] + cases.SPEED + (cases.WHOLE, cases.flush_at(19))[number // 2 % 2] + ("--on-error", "skip")
        rounds = [cases.write(folder, f"turns{number}_{i}", lambda r, i=i: changes.stream(random.Random(seed * 100 + 10 * number + i), 70, **kind), fields, 0, True)
                  for i in range(5)]
        alone, shared = folder / f"turns{number}_lucene", folder / f"turns{number}_shared"
        for i, (docs, schema) in enumerate(rounds):
            what = f"changes in turns {number}, round {i}"
            more = ("--append",) if i else ()
            code, output = oracle.call("build", docs, schema, alone, *options, *more)
            tally.check(f"{what}: Lucene alone", code == 0, output)
            if (i + number) % 2:
                code, _, output = postern.index(docs, schema, shared, *options, *more)
            else:
                code, output = oracle.call("build", docs, schema, shared, *options, *more)
            tally.check(f"{what}: {'postern' if (i + number) % 2 else 'Lucene'} writes", code == 0, output)
            differences = index_files.differences(alone, shared)
            if not tally.check(f"{what}: files are identical", not differences, "\n".join(differences)):
                break
            code, output = postern.check(shared)
            tally.check(f"{what}: postern check finds it clean", code == 0, output)
        for command in (("check", shared, "--deep"), ("compare", alone, shared, "--layout")):
            code, output = oracle.call(*command)
            tally.check(f"changes in turns {number}: {command[0]}", code == 0, output)


def unique(rng, count):
    """A stream whose documents can be told apart by their id, and many of them between the operations."""
    known, made = [], 0
    for line in changes.stream(rng, count, refuse=True):
        for _ in range(changes.below(rng, 40)):
            known.append(f"u{made}")
            yield {"id": known[-1], "body": f"word{made % 7} word{made % 50}", "n": made, "m": made % 9, "tag": [f"t{made % 60}"]}
            made += 1
        if "op" not in line or line["op"] == "add" or not known:
            continue
        if line["op"] == "update":
            id_ = changes.pick(rng, known)
            line = changes.update(id_, {**line.get("doc", {}), "id": id_})
        elif line.get("term", [""])[0] == "id":
            line = {**line, "term": ["id", changes.pick(rng, known)]}
        yield line


def many_threads(postern, folder, tally, seed):
    """Operations hold up all threads: what several write is what one writes, document by document."""
    for number in range(3):
        docs, schema = cases.write(folder, f"threads{number}", lambda r, number=number: unique(random.Random(seed + number), 250), changes.schema(), 0, True)
        lucene = folder / f"threads{number}_lucene"
        code, output = oracle.call("build", docs, schema, lucene, *cases.PLAIN, *cases.SPEED, *cases.WHOLE, "--on-error", "skip")
        tally.check(f"changes, threads {number}: Lucene builds", code == 0, output)
        for threads, more in (("2", cases.WHOLE), ("3", cases.flush_at(100))):
            what, out = f"changes, threads {number}, {threads}", folder / f"threads{number}_{threads}"
            code, _, output = postern.index(docs, schema, out, *cases.PLAIN, *cases.SPEED, *more, "--on-error", "skip", "--threads", threads)
            tally.check(f"{what}: builds", code == 0, output)
            for command in (("check", out, "--deep"), ("compare", lucene, out, "--by-id", "id")):
                code, output = oracle.call(*command)
                tally.check(f"{what}: {command[0]}", code == 0, output)


def changes_are_seen(postern, folder, tally):
    """The test of the test: one operation that is another, or elsewhere, must not pass."""
    lines = [changes.doc(i, n=i, m=i % 3, body=f"word{i}") for i in range(40)] + [changes.COMMIT]
    lines += [changes.delete(3), changes.change(5, n=500), changes.update(7, changes.doc(7, n=70)), changes.soft_delete(9), changes.COMMIT, changes.delete(11)]
    options = cases.PLAIN + cases.SPEED + cases.WHOLE
    docs, schema = cases.write(folder, "seen", lambda _: lines, changes.schema(soft=True), 0, True)
    lucene, out = folder / "seen_lucene", folder / "seen_postern"
    code, output = oracle.call("build", docs, schema, lucene, *options)
    tally.check("changes seen: Lucene builds", code == 0, output)

    def other(what, altered, in_content=True):
        docs, schema = cases.write(folder, "altered", lambda _: altered, changes.schema(soft=True), 0, True)
        code, _, output = postern.index(docs, schema, out, *options, "--create")
        tally.check(f"changes seen: {what}: builds", code == 0, output)
        code, output = oracle.call("compare", lucene, out)
        tally.check(f"changes seen: {what} is seen by the comparison", code == (1 if in_content else 0), output)
        differences = index_files.differences(lucene, out)
        tally.check(f"changes seen: {what} is seen in the files", differences)

    def replaced(old, new):
        return [new if line == old else line for line in lines]

    code, _, output = postern.index(docs, schema, out, *options, "--create")
    tally.check("changes seen: unaltered, nothing is seen", code == 0 and not index_files.differences(lucene, out), output)
    other("another deleted document", replaced(changes.delete(3), changes.delete(4)))
    other("another last deleted document", replaced(changes.delete(11), changes.delete(12)))
    other("another new value", replaced(changes.change(5, n=500), changes.change(5, n=501)))
    other("another updated document", replaced(changes.change(5, n=500), changes.change(6, n=500)))
    other("another updated field", replaced(changes.change(5, n=500), changes.change(5, m=500)))
    other("another soft-deleted document", replaced(changes.soft_delete(9), changes.soft_delete(10)))
    other("an update elsewhere", replaced(changes.update(7, changes.doc(7, n=70)), changes.update(8, changes.doc(7, n=70))))
    other("a delete before the document it meant", lines[41:42] + lines[:41] + lines[42:])
    other("one commit less, which only the generations show", [line for i, line in enumerate(lines) if i != len(lines) - 2], in_content=False)


def run(postern, folder, tally, seed, self_test):
    folder.mkdir(parents=True, exist_ok=True)
    append_in_turns(postern, folder, tally, seed)
    if not self_test:
        many_threads(postern, folder, tally, seed)
    changes_are_seen(postern, folder, tally)
