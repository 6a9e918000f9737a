"""Line documents: title TAB date TAB body."""
import hashlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from common import CACHE  # noqa: F401

MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()


def date_of(number):
    """A date that depends on the document number only, spread over 2001-2012."""
    x = int.from_bytes(hashlib.blake2b(str(number).encode(), digest_size=8).digest(), "little")
    return "%02d-%s-%d %02d:%02d:%02d.000" % (
        1 + x % 28, MONTHS[x // 28 % 12], 2001 + x // 336 % 12, x // 4032 % 24, x // 96768 % 60, x // 5806080 % 60)


def write_lines(path, documents):
    """documents: (title, body) pairs without tabs or line feeds."""
    part = path.with_suffix(".part")
    with open(part, "w", encoding="utf-8", newline="\n") as out:
        for number, (title, body) in enumerate(documents):
            out.write(f"{title}\t{date_of(number)}\t{body}\n")
    part.rename(path)
