#!/usr/bin/env python3
"""The C++ example of the README is the one that is compiled, and is short."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
source = (ROOT / "examples" / "index_two_documents.cc").read_text()
example = re.search(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
if not example or example[1].strip() not in source:
    sys.exit("README.md: its C++ example is not in examples/index_two_documents.cc")
if len(example[1].splitlines()) > 20:
    sys.exit("README.md: the C++ example has more than 20 lines")
print("the README's example is compiled")
