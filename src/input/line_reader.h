// Splits input into lines at line feeds, in place: a line is a view into the read buffer, which
// grows when a line is longer than it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/byte_buffer.h"
#include "input/byte_source.h"

namespace postern::input {

struct Line {
  std::string_view text;  // without its line feed; valid until the next call of next()
  uint64_t number = 0;    // from 1
  bool too_long = false;  // longer than the limit; text is empty, the line was passed over
};

class LineReader {
 public:
  // Bytes that may be read behind each line.
  static constexpr size_t kPadding = 64;
  static constexpr size_t kLongestLine = size_t{1} << 30;

  static constexpr size_t kBlock = size_t{1} << 20;

  explicit LineReader(std::unique_ptr<ByteSource> source, size_t longest = kLongestLine,
                      size_t block = kBlock);

  // nullopt at the end. A last line needs no line feed. A byte order mark at the very start is
  // dropped. Throws IoError.
  std::optional<Line> next();

  // Whole lines at the current place, without moving on; as many as one block of input holds.
  std::string_view peek();

  // Where the last line is the first one of a piece of a shared input: the documents before it.
  std::optional<uint64_t> piece_documents() const { return piece_documents_; }

  uint64_t bytes_taken() const { return source_->bytes_taken(); }
  // Bytes of all lines returned so far, decompressed, line feeds included.
  uint64_t text_bytes() const { return text_bytes_; }
  size_t longest() const { return longest_; }

 private:
  // Reads more behind what is there, making room first. False at the end.
  bool fill();
  void skip_mark();
  std::optional<Line> pass_over();

  std::unique_ptr<ByteSource> source_;
  size_t longest_;
  size_t block_;
  ByteBuffer buffer_;  // size() stays at its capacity less the padding
  size_t from_ = 0;    // first unread byte
  size_t to_ = 0;      // end of what was read
  bool ended_ = false;
  bool started_ = false;
  uint64_t number_ = 0;
  std::optional<uint64_t> piece_begins_;  // documents before the piece whose lines come next
  std::optional<uint64_t> piece_documents_;
  uint64_t text_bytes_ = 0;
};

}  // namespace postern::input
