"""Real text in line documents of about 1 KB, cut from Debian's documentation packages.

The packages are fetched with `apt-get download` and read, never installed.
"""
import gzip
import hashlib
import html
import io
import random
import re
import shutil
import subprocess
import sys
import tarfile

from lines import CACHE, write_lines

PACKAGES = ["linux-source-6.1", "linux-doc-6.1", "python3.11-doc", "perl-doc", "postgresql-doc-15", "dict-gcide",
            "wordnet-base", "manpages", "manpages-dev", "manpages-de", "manpages-fr", "manpages-es", "manpages-pl",
            "installation-guide-amd64", "debian-handbook", "libreoffice-help-en-us", "libreoffice-help-de", "libreoffice-help-fr",
            "sqlite3-doc", "git-doc"]
BODY_BYTES = 960


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


def make(path):
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        sys.exit("corpora: realtext needs apt-get and dpkg-deb (Debian or Ubuntu); try: make.py synth")
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
        print(f"corpora: {package}: {len(documents) - before} documents", file=sys.stderr)
    # Any first part of the file then has the statistics of the whole.
    random.Random(42).shuffle(documents)
    write_lines(path, documents)
