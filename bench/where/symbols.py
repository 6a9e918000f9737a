"""From addresses of a program to the functions there, inlined ones included, and from those to the stages of indexing."""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import common

# Stage: what a frame, "path of the source: function", looks like. The innermost frame that fits decides, its first fitting line.
STAGES = [
    ("checksum", r"crc32|checksum"),
    ("tokenizing", r"src/analysis/"),
    ("hash computation", r"memory/hash\.|load_term_words|TermTable::prepare|lucene_layout/murmur3"),
    ("look-up", r"term_table\.h: .*(candidate|::is\b|::is<|find_or_insert|find\b|equal_long|prefetch_slot|prefetch_text|prefetch_state)"),
    ("look-up", r"TermHash::(slot_of|find|add)\b"),
    ("new terms", r"memory/term_table|lucene_layout/term_hash\.h|lucene_layout/array_growth|FieldPostings::(resize_arrays|new_term)"),
    ("histogram", r"histogram"),
    ("sort", r"term_sort|TermSort|sort_terms"),
    ("seen-term path", r"postings_appender|memory/slices|lucene_layout/slices|FieldPostings::(seen_term|write_|put)"),
    ("seen-term path", r"lucene_layout/(field_postings|block_pools)"),
    ("one-term fields", r"field_inverter_pending"),
    ("checks and groups of tokens", r"field_inverter|token_group|norms_buffer|norm_byte"),
    ("reading slices at flush", r"postings_decoder|slice_reader|sorted_postings"),
    ("postings and terms encoding", r"codec/(postings|for_util|pfor|impacts|suffix|terms|trie|block_tree|segment_postings)|segment_writer.*(Postings|terms)"),
    ("stored fields", r"stored_|codec/lz4|codec/deflate|LZ4_"),
    ("norms", r"codec/norms"),
    ("doc values", r"doc_values|indexed_disi|codec/direct_|block_packed|sorted_column"),
    ("points", r"codec/bkd|points"),
    ("term vectors", r"vectors_|term_vectors"),
    ("pools and arrays", r"memory/(byte_pool|pages|grow_array|memory_counter)|invert/buffer_memory"),
    ("files", r"src/store/"),
    ("documents and schema", r"src/index/|include/postern/|field_schema"),
    ("the benchmark itself", r"bench/"),
]
# Read by several stages: the caller decides.
NEUTRAL = re.compile(r"text_at|TermTable::(slots|text|state|first_word|length|first_slice)\b|GrowBytes::|GrowArray<.*(operator|data|size)|BytePool::at\b")
KERNEL = [("page faults", r"page_fault|do_user_addr_fault|handle_mm_fault|clear_huge_page|clear_page"),
          ("files (kernel)", r"sys_(write|pwrite|fsync|fdatasync|open|unlink|rename|close|read|fallocate|ftruncate)|ext4|blk_|jbd2"),
          ("memory (kernel)", r"sys_(madvise|mmap|munmap|mremap|brk)")]
UNMAPPED = "unmapped"


@functools.cache
def compiled():
    return [(name, re.compile(pattern)) for name, pattern in STAGES]


def stage_of(frames):
    """`frames`: "path: function", innermost first."""
    for frame in frames:
        if NEUTRAL.search(frame):
            continue
        for name, pattern in compiled():
            if pattern.search(frame):
                return name
    return UNMAPPED


def kernel_stage_of(functions):
    for name, pattern in KERNEL:
        if any(re.search(pattern, f) for f in functions):
            return name
    return "kernel, other"


def short(path):
    """Of a source: from the repository on."""
    path = os.path.normpath(path).replace(str(common.ROOT) + "/", "")
    return re.sub(r"^.*/(include/c\+\+|include)/", "<", path)


class Symbols:
    """The frames at addresses of a program that is not position-independent."""

    def __init__(self, binary):
        self.binary, self.known = binary, {}
        code = re.search(r"LOAD +0x(\w+) 0x(\w+) .* R E ", common.output_of("readelf", "-lW", binary))
        self.base = int(code[2], 16) - int(code[1], 16) if code else 0
        self.tool = next((t for t in ("llvm-symbolizer-16", "llvm-symbolizer") if shutil.which(t)), None)
        if self.tool is None:
            sys.exit("bench: llvm-symbolizer is missing (package llvm-16)")

    def at_offset(self, address):
        """The address of what perf names by its place in the file."""
        return address + self.base if address < self.base else address

    def load(self, addresses):
        """Looks up all addresses at once."""
        new = sorted(set(addresses) - self.known.keys())
        if not new:
            return
        done = subprocess.run([self.tool, f"--obj={self.binary}", "--inlines", "--demangle", "--functions=linkage"],
                              input="".join(f"0x{a:x}\n" for a in new), stdout=subprocess.PIPE, text=True, check=True)
        for address, block in zip(new, done.stdout.split("\n\n")):
            lines = block.strip().split("\n")
            frames = []
            for function, place in zip(lines[::2], lines[1::2]):
                if function != "??":
                    frames.append(f"{short(place.rsplit(':', 2)[0])}: {function}")
            self.known[address] = frames

    def frames(self, address):
        """Innermost first; empty if nothing is known."""
        return self.known.get(address, [])


def build(target):
    """Release code with line numbers, frame pointers and fixed addresses, in a folder of its own."""
    folder = common.ROOT / "build-profile"
    flags = "-g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer"
    for command in (["cmake", "-S", common.ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DPOSTERN_BENCH=ON",
                     f"-DCMAKE_CXX_FLAGS={flags}", "-DCMAKE_EXE_LINKER_FLAGS=-no-pie"], ["cmake", "--build", folder, "--target", target]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")
    return folder / target
