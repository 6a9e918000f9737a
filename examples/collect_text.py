#!/usr/bin/env python3
"""collect_text.py OUT.jsonl [--megabytes N]: real text of this machine as JSON Lines.

Takes the licences, the packages' documents, the manual pages and the sources and documents of Python and Perl that any Debian
machine has, cut at blank lines into documents of about 2 KB.
"""
import argparse
import gzip
import json
import pathlib

PLACES = ("/usr/share/common-licenses", "/usr/share/doc", "/usr/share/man/man*", "/usr/share/perl", "/usr/share/perl5", "/usr/lib/python3*",
          "/usr/share/vim", "/usr/share/misc", "/usr/include", "/usr/share/info")
SUFFIXES = {"", ".txt", ".gz", ".md", ".rst", ".py", ".pod", ".pm", ".pl", ".h", ".html", ".1", ".5", ".7", ".8", ".news", ".readme"}
PIECE = 2000


def files():
    seen = set()
    for place in PLACES:
        for root in sorted(pathlib.Path("/").glob(place.lstrip("/"))):
            for path in sorted(root.rglob("*")):
                if path.suffix.lower() not in SUFFIXES or path.is_symlink() or not path.is_file():
                    continue
                if path.stat().st_ino not in seen:
                    seen.add(path.stat().st_ino)
                    yield path


def text_of(path):
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        if b"\0" in data:
            return None
        return data.decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError, gzip.BadGzipFile):
        return None


def pieces(text):
    piece = []
    length = 0
    for paragraph in text.split("\n\n"):
        piece.append(paragraph)
        length += len(paragraph)
        if length >= PIECE:
            yield "\n\n".join(piece)
            piece, length = [], 0
    if length:
        yield "\n\n".join(piece)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--megabytes", type=float, default=100)
    arguments = parser.parse_args()
    left = arguments.megabytes * 1e6
    documents = 0
    with open(arguments.out, "w", encoding="utf-8") as out:
        for path in files():
            text = text_of(path)
            for number, piece in enumerate(pieces(text) if text else ()):
                title = next((line.strip() for line in piece.splitlines() if line.strip()), "")[:120]
                out.write(json.dumps({"id": f"{path}#{number}", "path": str(path), "title": title, "body": piece, "size": len(piece)},
                                     ensure_ascii=False) + "\n")
                documents += 1
                left -= len(piece)
            if left <= 0:
                break
    print(f"{documents} documents of text from this machine")


if __name__ == "__main__":
    main()
