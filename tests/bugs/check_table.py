#!/usr/bin/env python3
"""Every test that docs/bug_reports.md names exists, and every row names one or says "later"."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def known_tests():
    names = set()
    for room in ("src", "tests", "bench"):
        for path in (ROOT / room).rglob("*_test.cc"):
            names.update(f"{suite}.{test}" for suite, test in
                         re.findall(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),\s*(\w+)", path.read_text()))
    names.update(path.name for path in (ROOT / "tests" / "bugs").glob("test_*.py"))
    names.update(f"cli/{path.name}" for path in (ROOT / "tests" / "cli").glob("test_*.py"))
    names.update(f"golden:{path.parent.name}" for path in (ROOT / "tests" / "golden").glob("*/case.json"))
    cases = (ROOT / "tests" / "twin" / "cases.py").read_text()
    names.update(f"twin:{name}" for name in re.findall(r'case\("(\w+)"', cases))
    names.add("twin:scenarios")
    return names


def main():
    known = known_tests()
    problems, rows = [], 0
    for line in (ROOT / "docs" / "bug_reports.md").read_text().splitlines():
        row = re.match(r"\| (\d+) \|", line)
        if not row:
            continue
        rows += 1
        column = line.rstrip(" |").split("|")[-1]
        named = re.findall(r"`([^`]+)`|((?:golden|twin):\w+)", column)
        names = [a or b for a, b in named]
        if not names and "later" not in column:
            problems.append(f"row {row[1]} names no test")
        problems += [f"row {row[1]} names {name}, which does not exist" for name in names if name not in known]
    if rows < 35:
        problems.append(f"only {rows} rows found")
    print("\n".join(problems) if problems else f"{rows} rows, every named test exists")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
