#!/usr/bin/env python3
"""report.py JUNIT.xml...: one closing line for the test runs of ctest, and every skipped test by name."""
import sys
import xml.etree.ElementTree


def count(paths):
    passed, failed, skipped = 0, [], []
    for path in paths:
        for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
            status = case.get("status")
            if status == "run":
                passed += 1
            elif status in ("notrun", "disabled"):
                skipped.append(case)
            else:
                failed.append(case)
    return passed, failed, skipped


def main(paths):
    passed, failed, skipped = count(paths)
    for case in skipped:
        reason = case.find("skipped")
        print(f"SKIPPED {case.get('name')}: {(reason.get('message') if reason is not None else '') or 'not run'}")
    for case in failed:
        print(f"FAILED {case.get('name')}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
