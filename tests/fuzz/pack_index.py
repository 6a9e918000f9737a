#!/usr/bin/env python3
"""pack_index.py INDEX OUT: makes a seed of index_fuzz from the folder of an index."""
import pathlib
import struct
import sys


def main():
    files = [p for p in sorted(pathlib.Path(sys.argv[1]).iterdir()) if p.name.startswith(("_", "segments_"))]
    with open(sys.argv[2], "wb") as out:
        for path in files:
            data = path.read_bytes()
            out.write(bytes([len(path.name)]) + path.name.encode() + struct.pack("<I", len(data)) + data)


if __name__ == "__main__":
    main()
