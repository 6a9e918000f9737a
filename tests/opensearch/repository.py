"""Reads a snapshot repository without OpenSearch: its files of Smile (the whole format, shared names too), and where a shard's files are.

`repository.py FILE.dat` prints a file as JSON.
"""
import json
import pathlib
import struct
import sys
import zlib

HEADER_MAGIC, FOOTER_MAGIC = 0x3FD76C17, 0xC02893E8


class Smile:
    """One value, from the specification of the Smile format."""

    def __init__(self, data):
        if data[:3] != b":)\n":
            raise ValueError("no Smile header")
        self.data, self.at = data, 4
        self.share_names, self.share_values = data[3] & 1, data[3] & 2
        self.names, self.values = [], []

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def take(self, n):
        self.at += n
        if self.at > len(self.data):
            raise ValueError("it ends too early")
        return self.data[self.at - n:self.at]

    def until_end_mark(self):
        end = self.data.index(0xFC, self.at)
        text = self.data[self.at:end]
        self.at = end + 1
        return text.decode()

    def unsigned(self):
        number = 0
        while True:
            b = self.byte()
            if b & 0x80:
                return number << 6 | b & 0x3F
            number = number << 7 | b

    def signed(self):
        n = self.unsigned()
        return n >> 1 ^ -(n & 1)

    def shared(self, seen, text, enabled, longest=64):
        if enabled and len(text.encode()) <= longest:
            if len(seen) == 1024:
                seen.clear()
            seen.append(text)
        return text

    def seven_bits(self):
        """Bytes as groups of seven bits; the last group is right-aligned."""
        length = self.unsigned()
        bits, have, out = 0, 0, bytearray()
        while len(out) < length:
            left = 8 * (length - len(out)) - have
            group = min(7, left)
            bits, have = bits << group | self.byte(), have + group
            while have >= 8:
                have -= 8
                out.append(bits >> have & 255)
                bits &= (1 << have) - 1
        return bytes(out)

    def key(self):
        """None at the end of the object."""
        b = self.byte()
        if b == 0xFB:
            return None
        if b == 0x20:
            return ""
        if 0x30 <= b <= 0x33:
            return self.names[(b & 3) << 8 | self.byte()]
        if b == 0x34:
            return self.until_end_mark()
        if 0x40 <= b <= 0x7F:
            return self.names[b - 0x40]
        if 0x80 <= b <= 0xBF:
            return self.shared(self.names, self.take(b - 0x7F).decode(), self.share_names)
        if 0xC0 <= b <= 0xF7:
            return self.shared(self.names, self.take(b - 0xBE).decode(), self.share_names)
        raise ValueError(f"not a key: {b:02x}")

    def value(self):
        b = self.byte()
        if 0x01 <= b <= 0x1F:
            return self.values[b - 1]
        if 0x20 <= b <= 0x23:
            return ("", None, False, True)[b - 0x20]
        if b in (0x24, 0x25):
            return self.signed()
        if b in (0x28, 0x29):
            size, groups = ((4, 5), (8, 10))[b - 0x28]
            bits = 0
            for _ in range(groups):
                bits = bits << 7 | self.byte()
            return struct.unpack(">f" if size == 4 else ">d", bits.to_bytes(size, "big"))[0]
        if 0x40 <= b <= 0x7F:
            return self.shared(self.values, self.take(b - 0x3F).decode(), self.share_values)
        if 0x80 <= b <= 0xBF:
            return self.shared(self.values, self.take(b - 0x7E).decode(), self.share_values)
        if 0xC0 <= b <= 0xDF:
            n = b - 0xC0
            return n >> 1 ^ -(n & 1)
        if b in (0xE0, 0xE4):
            return self.until_end_mark()
        if b == 0xE8:
            return self.seven_bits()
        if 0xEC <= b <= 0xEF:
            return self.values[(b & 3) << 8 | self.byte()]
        if b == 0xF8:
            items = []
            while self.data[self.at] != 0xF9:
                items.append(self.value())
            self.at += 1
            return items
        if b == 0xFA:
            members = {}
            while (key := self.key()) is not None:
                if key in members:
                    raise ValueError(f"twice the key {key}")
                members[key] = self.value()
            return members
        if b == 0xFD:
            return self.take(self.unsigned())
        raise ValueError(f"not a value: {b:02x}")


def read_dat(path, codec=None):
    """The value in a `.dat` file: Lucene's header, Smile, Lucene's footer with its checksum."""
    data = pathlib.Path(path).read_bytes()
    magic, length = struct.unpack_from(">IB", data)
    name, version = data[5:5 + length].decode(), struct.unpack_from(">I", data, 5 + length)[0]
    footer, algorithm, checksum = struct.unpack(">IIQ", data[-16:])
    if (magic, version, footer, algorithm) != (HEADER_MAGIC, 1, FOOTER_MAGIC, 0):
        raise ValueError(f"{path}: not a file of version 1 with header and footer")
    if codec not in (None, name):
        raise ValueError(f"{path}: the codec is {name}, not {codec}")
    if checksum != zlib.crc32(data[:-8]):
        raise ValueError(f"{path}: the checksum is wrong")
    smile = Smile(data[9 + length:-16])
    value = smile.value()
    if smile.at != len(smile.data):
        raise ValueError(f"{path}: text behind the value")
    return value


def base36(number):
    digits = ""
    while number or not digits:
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36] + digits
        number //= 36
    return digits


class Repository:
    """A repository with one snapshot of one index."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if (self.folder / "index.latest").read_bytes() != bytes(8):
            raise ValueError("index.latest does not name generation 0")
        self.index = json.loads((self.folder / "index-0").read_text())
        (self.snapshot,), ((self.name, entry),) = self.index["snapshots"], self.index["indices"].items()
        self.index_folder = self.folder / "indices" / entry["id"]
        meta = self.index["index_metadata_identifiers"][self.snapshot["index_metadata_lookup"][entry["id"]]]
        self.metadata = read_dat(self.index_folder / f"meta-{meta}.dat", "index-metadata")[self.name]
        self.summary = read_dat(self.folder / f"snap-{self.snapshot['uuid']}.dat", "snapshot")["snapshot"]
        self.shard_count = len(entry["shard_generations"])

    @property
    def mappings(self):
        return self.metadata["mappings"][0]["_doc"]

    def shard_files(self, shard):
        return read_dat(self.index_folder / str(shard) / f"snap-{self.snapshot['uuid']}.dat", "snapshot")["files"]

    def check(self):
        """Raises ValueError unless every file that the repository names is there, whole and with the checksum it says."""
        if self.summary["total_shards"] != self.shard_count or len(self.metadata["primary_terms"]) != self.shard_count:
            raise ValueError("the number of shards differs")
        for shard in range(self.shard_count):
            for file in self.shard_files(shard):
                inline = file["name"].startswith("v__")
                data = file["meta_hash"] if inline else (self.index_folder / str(shard) / file["name"]).read_bytes()
                told = (file["length"], file["checksum"])
                if told != (len(data), base36(struct.unpack(">Q", data[-8:])[0])) or zlib.crc32(data[:-8]) != struct.unpack(">Q", data[-8:])[0]:
                    raise ValueError(f"shard {shard}: {file['physical_name']} is not what the repository says")

    def extract(self, shard, folder):
        """The shard's Lucene index, in a new folder."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True)
        for file in self.shard_files(shard):
            source = self.index_folder / str(shard) / file["name"]
            (folder / file["physical_name"]).write_bytes(file["meta_hash"] if file["name"].startswith("v__") else source.read_bytes())
        return folder


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(json.dumps(read_dat(sys.argv[1]), indent=1, default=bytes.hex))
