#include "store/codec_header.h"

#include <sys/random.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <string>

namespace postern::store {
namespace {

std::string hex(std::span<const uint8_t> bytes) {
  static const char kDigits[] = "0123456789abcdef";
  std::string out;
  for (uint8_t b : bytes) {
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}

// Names from damaged files may hold any byte; messages show printable ASCII only.
std::string printable(std::span<const uint8_t> bytes) {
  std::string out;
  for (uint8_t b : bytes) out += b >= 0x20 && b < 0x7f ? static_cast<char>(b) : '?';
  return out;
}

}  // namespace

ObjectId new_object_id() {
  ObjectId id;
  size_t have = 0;
  while (have < id.size()) {
    ssize_t n = ::getrandom(id.data() + have, id.size() - have, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw IoError(std::string("getrandom: ") + std::strerror(errno), errno);
    have += static_cast<size_t>(n);
  }
  return id;
}

void write_index_header(IndexOutput& out, std::string_view codec, uint32_t version,
                        const ObjectId& id, std::string_view suffix) {
  assert(codec.size() < 128 && suffix.size() < 256);
  out.write_be32(kHeaderMagic);
  out.write_string(codec);
  out.write_be32(version);
  out.write_bytes(std::span<const uint8_t>(id));
  out.write_byte(static_cast<uint8_t>(suffix.size()));
  out.write_bytes(suffix);
}

void write_footer(IndexOutput& out) {
  out.write_be32(kFooterMagic);
  out.write_be32(0);
  out.write_be64(out.checksum());
}

uint32_t check_index_header(ByteReader& in, const HeaderCheck& expected) {
  uint32_t magic = in.read_be32();
  if (magic != kHeaderMagic)
    in.fail("does not begin with a codec header; not a Lucene file, or damaged");
  auto codec = in.read_bytes(in.read_count());
  if (!std::ranges::equal(codec, expected.codec,
                          [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); }))
    in.fail("is written by codec '" + printable(codec) + "', expected '" +
            std::string(expected.codec) + "'");
  uint32_t version = in.read_be32();
  if (version < expected.min_version || version > expected.max_version)
    throw NotSupported(std::string(in.name()) + ": version " + std::to_string(version) + " of '" +
                       std::string(expected.codec) + "' is not supported, only " +
                       std::to_string(expected.min_version) + " to " +
                       std::to_string(expected.max_version) + " (Lucene 10.4)");
  auto id = in.read_bytes(16);
  if (expected.id != nullptr && !std::ranges::equal(id, *expected.id))
    in.fail("belongs to another segment or commit: its id is " + hex(id) + ", expected " +
            hex(*expected.id));
  auto suffix = in.read_bytes(in.read_byte());
  if (!std::ranges::equal(suffix, expected.suffix,
                          [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); }))
    in.fail("has the suffix '" + printable(suffix) + "', expected '" +
            std::string(expected.suffix) + "'");
  return version;
}

void check_footer(std::span<const uint8_t> file, std::string_view name, bool whole) {
  if (file.size() < kFooterLength)
    throw CorruptIndex(std::string(name) + ": " + std::to_string(file.size()) +
                       " bytes are too few for a footer; the file is truncated");
  ByteReader in(file, name);
  in.seek(file.size() - kFooterLength);
  if (in.read_be32() != kFooterMagic)
    in.fail("does not end with a codec footer; the file is truncated or damaged");
  if (in.read_be32() != 0) in.fail("has an unknown checksum algorithm");
  uint64_t recorded = in.read_be64();
  if (recorded >> 32 != 0) in.fail("has a checksum of more than 32 bits");
  if (!whole) return;
  uint32_t actual = crc32(0, file.first(file.size() - 8));
  if (actual != recorded)
    throw CorruptIndex(std::string(name) + ": checksum mismatch, recorded " +
                       std::to_string(recorded) + ", actual " + std::to_string(actual) + " (" +
                       std::to_string(file.size()) + " bytes)");
}

uint32_t footer_checksum(std::span<const uint8_t> file) {
  assert(file.size() >= kFooterLength);
  return static_cast<uint32_t>(load_be64(file.data() + file.size() - 8));
}

ByteReader open_whole(std::span<const uint8_t> file, std::string_view name,
                      const HeaderCheck& expected, uint32_t* version) {
  check_footer(file, name, true);
  ByteReader in(file.first(file.size() - kFooterLength), name);
  uint32_t v = check_index_header(in, expected);
  if (version != nullptr) *version = v;
  return in;
}

void check_at_end(const ByteReader& in) {
  if (in.remaining() != 0)
    in.fail(std::to_string(in.remaining()) + " unexpected bytes before the footer");
}

}  // namespace postern::store
