"""Compares the files of two indexes byte by byte, without Java.

What legitimately differs is blanked: segment ids and checksums. `.si` files (they carry a time stamp) are not compared here;
`oracle compare` does that. Files inside compound files are compared one by one. Of the commit everything counts but its ids and its
version, which says how often something changed on the way.
"""
import pathlib
import re

from lucene_inspect import compound, segments

HEADER_MAGIC = b"\x3f\xd7\x6c\x17"
FOOTER_MAGIC = b"\xc0\x28\x93\xe8"
ID_BYTES = 16
FOOTER_BYTES = 16
SEGMENT_FILE = re.compile(r"^_[0-9a-z]+(?:_[0-9a-z]+)?[._]")


def vint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def blanked(data):
    """The file without its segment id and checksum; a file that is not one of Lucene's stays as it is."""
    if data[:4] != HEADER_MAGIC or data[-FOOTER_BYTES:-FOOTER_BYTES + 4] != FOOTER_MAGIC:
        return data
    length, at = vint(data, 4)
    at += length + 4
    # The terms metadata holds a second header, with the same id.
    return data[:-8].replace(data[at:at + ID_BYTES], bytes(ID_BYTES)) + bytes(8)


def header_end(data):
    length, at = vint(data, 4)
    at += length + 4 + ID_BYTES
    return at + 1 + data[at]


def table_of_contents(entries):
    """(name without the segment, offset, length) of the files inside a compound file, as listed."""
    at = header_end(entries)
    count, at = vint(entries, at)
    table = []
    for _ in range(count):
        length, at = vint(entries, at)
        name = entries[at:at + length].decode()
        at += length
        table.append((name, int.from_bytes(entries[at:at + 8], "little"), int.from_bytes(entries[at + 8:at + 16], "little")))
        at += 16
    return table


def canonical(entries):
    """The entries of a compound file, those of equal length by name: among them Lucene's order is that of its hash set and heap."""
    table = table_of_contents(entries)
    offsets = [offset for _, offset, _ in table]
    names = [(name, length) for name, _, length in table]
    by_length = sorted(names, key=lambda entry: (entry[1], entry[0]))
    if sorted(names, key=lambda entry: entry[1]) != names:  # stable: only a list that ascends by length is its own
        return repr(table).encode()
    return blanked(entries)[:header_end(entries)] + repr((by_length, offsets)).encode()


def commit(folder):
    """The newest commit as text: generations, counts, names and their order."""
    names = [path for path in pathlib.Path(folder).iterdir() if path.name.startswith("segments_")]
    if not names:
        return ["no commit"]
    read = segments.read_latest(compound.FileDirectory(str(folder)))
    lines = [f"{sorted(path.name for path in names)} counter {read.counter} user data {sorted(read.user_data.items())}"]
    for s in read.segments:
        lines.append(f"{s.name}: deleted {s.del_count} (generation {s.del_gen}), soft-deleted {s.soft_del_count}, field infos {s.field_infos_gen} "
                     f"{s.field_infos_files}, doc values {s.doc_values_gen} {s.doc_values_files}")
    return lines


def contents(folder):
    """name -> blanked bytes of every file that is compared."""
    files = {}
    for path in sorted(pathlib.Path(folder).iterdir()):
        if not SEGMENT_FILE.match(path.name) or path.suffix == ".si":
            continue
        data = path.read_bytes()
        if path.suffix == ".cfs":
            for name, offset, length in table_of_contents(path.with_suffix(".cfe").read_bytes()):
                files[f"{path.name}{name}"] = blanked(data[offset:offset + length])
            files[path.name] = str(len(data)).encode()
        else:
            files[path.name] = canonical(data) if path.suffix == ".cfe" else blanked(data)
    files["the commit"] = "\n".join(commit(folder)).encode()
    return files


def differences(left, right, fdt_may_differ=False):
    """A line for every file that differs between two folders; empty if none does.

    With fdt_may_differ a stored-fields data file may differ in its bytes, but not by more than 2 % in its size; what
    follows from its size (.fdx and .fdm, and the entries of a compound file) is then not compared where the sizes differ.
    """
    a, b = contents(left), contents(right)
    lines = [f"{name}: only in {left if name in a else right}" for name in sorted(a.keys() ^ b.keys())]
    loose = set()
    for name in sorted(a.keys() & b.keys()):
        if fdt_may_differ and name.endswith(".fdt") and a[name] != b[name]:
            if abs(len(a[name]) - len(b[name])) > 0.02 * max(len(a[name]), len(b[name])):
                lines.append(f"{name}: {len(a[name])} and {len(b[name])} bytes, more than 2 % apart")
            loose.update({name, name[:-4] + ".fdx", name[:-4] + ".fdm", name.split(".")[0] + ".cfe"})
    for name in sorted(a.keys() & b.keys()):
        x, y = a[name], b[name]
        if x == y or name in loose:
            continue
        if name == "the commit":
            lines.append(f"{name}: {x.decode()} and {y.decode()}")
            continue
        at = next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
        lines.append(f"{name}: first differs at {at}: {x[max(0, at - 4):at + 12].hex()} and {y[max(0, at - 4):at + 12].hex()}"
                     f" (lengths {len(x)} and {len(y)})")
    return lines
