#!/usr/bin/env python3
"""The twin: postern and Lucene 10.4 build the same inputs, and everything about the indexes must be the same.

run.py --postern PATH [--short] [--seed N] [--cases A,B] [--keep DIR] [--self]

For every case of cases.py: with equal flush points all files are compared byte by byte (segment ids, checksums and `.si` apart) for
every pool layout, Lucene's CheckIndex reads the index, merges a copy and compares it, and both indexes are compared document by
document and term by term. With RAM budgets of postern's own the content is compared. Then come the scenarios: appending to each
other's index, the write lock, schema conflicts, and whether a changed word is seen at all.

--self puts Lucene in postern's place, which tests this program. Exit codes: 0 equal, 1 not, 77 no Java here (an error if
POSTERN_REQUIRE_TWIN is set).
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import cases  # noqa: E402
import checks  # noqa: E402
import index_files  # noqa: E402
import oracle  # noqa: E402
import scenarios  # noqa: E402


class Tally:
    def __init__(self):
        self.passed = 0
        self.failed = []

    def check(self, what, good, detail=""):
        if good:
            self.passed += 1
        else:
            self.failed.append(what)
            print(f"FAILED {what}\n{indent(detail)}", flush=True)
        return good


def indent(text, lines=25):
    rows = str(text).splitlines()
    more = [f"... {len(rows) - lines} more lines"] if len(rows) > lines else []
    return "\n".join("    " + row[:400] for row in rows[:lines] + more)


def refused_lines(output):
    """The numbers of the lines whose documents were refused, from the messages of either side."""
    return [int(n) for n in re.findall(r'^(?:line|refused: \S+ line) (\d+)(?:, field "[^"]*")?(?: skipped)?: ', output, re.M)]


def check_found(case, index, tally):
    """The index holds the encodings that the case's input is there for."""
    aspect, expected = case.found
    done = subprocess.run([sys.executable, "-m", "lucene_inspect", index, aspect], cwd=HERE.parent, stdout=subprocess.PIPE, text=True)
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line.startswith("  ") and not line.startswith("   ")}
    for field, part in expected.items():
        tally.check(f"{case.name}: field {field} is encoded as it should be", part in lines.get(field, ""), f"want {part}: {lines.get(field)}")


def run_case(case, postern, work, tally, pools):
    """Builds with both sides, then compares. Returns nothing; says everything to the tally."""
    folder = work / case.name
    on_error = ("--on-error", "skip") if case.skip else ()

    def judge(what, *command):
        code, output = oracle.call(*command)
        tally.check(what, code == 0, output)

    for i, options in enumerate(case.exact):
        code, output = oracle.call("build", case.docs, case.schema, folder / f"lucene{i}", *options, *on_error)
        if not tally.check(f"{case.name} {i}: Lucene builds it", code == 0, output):
            continue
        refused = refused_lines(output)
        code, output = postern.check(folder / f"lucene{i}")
        tally.check(f"{case.name} {i}: postern check finds Lucene's index clean", code == 0, output)
        if i == 0 and case.found:
            check_found(case, folder / "lucene0", tally)
        for layout in pools:
            what = f"{case.name} {' '.join(options)} --pools {layout}"
            out = folder / f"postern{i}{layout}"
            code, report, printed = postern.index(case.docs, case.schema, out, *options, *on_error, "--pools", layout)
            if not tally.check(f"{what}: builds", code == 0 and report is not None, printed):
                continue
            tally.check(f"{what}: refuses the documents that Lucene refuses",
                        report.get("refused") == len(refused) and refused_lines(printed) == refused,
                        f"postern {refused_lines(printed)}\nLucene  {refused}")
            differences = index_files.differences(folder / f"lucene{i}", out)
            same = tally.check(f"{what}: files are identical", not differences, "\n".join(differences))
            if layout == pools[0] or not same:
                judge(f"{what}: Lucene reads and merges it", "check", out, "--deep")
                code, output = postern.check(out)
                tally.check(f"{what}: postern check finds it clean", code == 0, output)
                judge(f"{what}: same content and layout", "compare", folder / f"lucene{i}", out, "--layout")
    for options in case.budgets:
        segments = set()
        for layout in pools:
            what = f"{case.name} {' '.join(options)} --pools {layout}"
            out = folder / f"budget{'_'.join(options)}{layout}"
            code, report, printed = postern.index(case.docs, case.schema, out, *options, "--no-merge", *on_error, "--pools", layout)
            if tally.check(f"{what}: builds", code == 0, printed):
                segments.add(len(list(out.glob("*.si"))))
                if layout == pools[0]:
                    judge(f"{what}: Lucene reads it", "check", out)
                judge(f"{what}: same content", "compare", folder / "lucene0", out, "--ignore-segmentation")
        if options == ("--ram-mb", "1") and case.name in ("europarl", "terms", "long_documents"):
            tally.check(f"{case.name}: a budget of 1 MB makes several segments", segments and min(segments) > 1, segments)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--postern")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--cases", help="only these, by name; 'scenarios' and 'check' are two of them")
    parser.add_argument("--pools", default=",".join(cases.POOLS))
    parser.add_argument("--keep", help="work in this folder and leave it")
    parser.add_argument("--self", action="store_true", dest="self_test")
    arguments = parser.parse_args()

    reason = oracle.why_not()
    if reason is not None:
        print(f"twin: SKIPPED, nothing was compared with Lucene: {reason}")
        print("twin: it needs Java 21 or newer (JAVA_HOME or /usr/lib/jvm) and Maven")
        return 1 if os.environ.get("POSTERN_REQUIRE_TWIN") == "1" else 77
    postern = oracle.SelfPostern() if arguments.self_test else oracle.Postern(pathlib.Path(arguments.postern).resolve())
    work = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="postern-twin-")).resolve()
    work.mkdir(parents=True, exist_ok=True)
    tally = Tally()
    wanted = arguments.cases.split(",") if arguments.cases else None
    pools = arguments.pools.split(",")
    print(f"twin: seed {arguments.seed}, {'short' if arguments.short else 'long'}", flush=True)
    all_cases = cases.generated(work, arguments.seed, 1 if arguments.short else 4)
    if wanted is None or "europarl" in wanted:
        all_cases.append(cases.europarl(work, oracle.europarl(work), 2500 if arguments.short else 0))
    for case in all_cases:
        if wanted is not None and case.name not in wanted:
            continue
        started, before = time.monotonic(), (tally.passed, len(tally.failed))
        run_case(case, postern, work, tally, [p for p in pools if p in case.pools] or pools)
        print(f"{case.name}: {tally.passed - before[0]} passed, {len(tally.failed) - before[1]} failed, "
              f"{time.monotonic() - started:.1f} s", flush=True)
        if not arguments.keep and len(tally.failed) == before[1]:
            shutil.rmtree(work / case.name, ignore_errors=True)
    if wanted is None or "scenarios" in wanted:
        scenarios.run(postern, work / "scenarios", tally, arguments.seed, arguments.self_test)
    if wanted is None or "check" in wanted:
        checks.run(postern, work / "check", tally, arguments.seed, 1 if arguments.short else 4)
    oracle.JVM.stop()
    if tally.failed and not arguments.keep:
        print(f"twin: the indexes are kept in {work}")
    elif not arguments.keep:
        shutil.rmtree(work, ignore_errors=True)
    print(f"twin: {tally.passed} passed, {len(tally.failed)} failed")
    return 1 if tally.failed or tally.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
