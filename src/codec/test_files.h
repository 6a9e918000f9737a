// Help for the codec tests: bytes as text, files in memory, Lucene's golden indexes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "postern/directory.h"
#include "store/codec_header.h"
#include "store/index_output.h"
#include "test_paths/golden.h"

namespace postern::codec::testing {

using Bytes = std::vector<uint8_t>;

// "00 0a ff" -> bytes; blanks are optional.
inline Bytes from_hex(std::string_view text) {
  Bytes out;
  std::string digits;
  for (char c : text)
    if (c != ' ' && c != '\n') digits += c;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    out.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return out;
}

inline std::string to_hex(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (uint8_t b : bytes) {
    if (!out.empty()) out += ' ';
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}

inline Bytes read_file(const Directory& directory, const std::string& name) {
  const auto file = directory.open(name);
  return {file->bytes().begin(), file->bytes().end()};
}

inline void write_file(Directory& directory, const std::string& name, std::span<const uint8_t> b) {
  auto file = directory.create(name);
  file->append(b);
  file->close();
}

// Without the index header (empty suffix) and the footer.
inline Bytes body_of(const Bytes& file, std::string_view codec) {
  const size_t header = 9 + codec.size() + 16 + 1;
  return {file.begin() + static_cast<ptrdiff_t>(header),
          file.end() - static_cast<ptrdiff_t>(store::kFooterLength)};
}

// Makes the checksum in the footer right again, so that a reader gets to see a damaged body.
inline void fix_checksum(Bytes& file) {
  const std::span<const uint8_t> covered(file.data(), file.size() - 8);
  store_be64(file.data() + file.size() - 8, store::crc32(0, covered));
}

inline store::ObjectId test_id() {
  store::ObjectId id;
  for (size_t i = 0; i < id.size(); ++i) id[i] = static_cast<uint8_t>(0x10 + i);
  return id;
}

// A segment of a golden index whose files lie loose in its folder.
struct GoldenSegment {
  std::filesystem::path folder;
  std::string name;
};
inline std::vector<GoldenSegment> golden_segments(std::string_view extension) {
  namespace fs = std::filesystem;
  std::vector<GoldenSegment> out;
  const fs::path golden = POSTERN_GOLDEN_FOLDER;
  for (const auto& index : fs::directory_iterator(golden)) {
    if (!fs::is_directory(index.path() / "index")) continue;
    for (const auto& file : fs::directory_iterator(index.path() / "index"))
      if (file.path().extension() == extension)
        out.push_back({index.path() / "index", file.path().stem().string()});
  }
  return out;
}

}  // namespace postern::codec::testing
