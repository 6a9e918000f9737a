#!/usr/bin/env python3
"""Checks that no room of src/ includes a higher one, and that the public headers stand alone.

The rooms and what each may include are the table of docs/architecture.md.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAY_INCLUDE = {
    "base": set(),
    "store": {"base"},
    "memory": {"base"},
    "analysis": {"base"},
    "invert": {"base", "memory", "analysis"},
    "codec": {"base", "store"},
    "read": {"base", "store", "codec"},
    "check": {"base", "store", "codec", "read"},
    "deletes": {"base", "store", "codec", "read"},
    "index": {"base", "store", "memory", "analysis", "invert", "codec", "read", "deletes"},
    "input": {"base", "index"},
    "opensearch": {"base", "store", "codec", "read", "index", "input"},
}
# Libraries that may be seen only in these rooms.
THIRD_PARTY = {"simdjson.h": {"input", "opensearch"}, "fmt/": {"input", "opensearch"}, "CLI/": set(), "zlib.h": {"codec", "input"}, "libdeflate.h": {"store", "codec"}}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def includes(path):
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def check(root):
    problems = []
    for path in sorted((root / "src").glob("*/**/*.[ch]*")):
        if path.suffix not in (".h", ".cc"):
            continue
        room = path.relative_to(root / "src").parts[0]
        where = path.relative_to(root)
        if room not in MAY_INCLUDE:
            problems.append(f"{where}: no such room in the table of check_layers.py")
            continue
        test = path.stem.endswith("_test")
        for kind, name in includes(path):
            top = name.split("/")[0]
            if kind == '"' and top in MAY_INCLUDE and top != room and top not in MAY_INCLUDE[room]:
                problems.append(f"{where} includes {name}: {room} may not use {top}")
            if kind == '"' and "/" not in name:
                problems.append(f"{where} includes {name}: write the path from src/ or include/")
            for library, rooms in THIRD_PARTY.items():
                if name.startswith(library) and room not in rooms and not test:
                    problems.append(f"{where} includes {name}: that library is not for {room}")
    for path in sorted((root / "include").glob("**/*.h")):
        for kind, name in includes(path):
            if (kind == '"' and not name.startswith("postern/")) or (kind == "<" and ("/" in name or name.endswith(".h"))):
                problems.append(f"{path.relative_to(root)} includes {name}: public headers use only each other and the standard library")
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
    print("\n".join(found) if found else "layers: every room keeps to its own")
    sys.exit(1 if found else 0)
