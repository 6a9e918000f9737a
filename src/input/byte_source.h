// Where input bytes come from: a file, gzip or plain, standard input, or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "postern/error.h"

namespace postern::input {

// Waiting for input was given up (SourceOptions::stop_descriptor).
class ReadStopped : public Error {
 public:
  using Error::Error;
};

// Lines that belong together, of an input that several readers share.
struct Piece {
  bool begins = false;     // with the last read
  uint64_t line = 0;       // lines of the input before it
  uint64_t documents = 0;  // documents before it, a block counting as one
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills up to `to`.size() bytes and returns how many; 0 only at the end. Throws IoError naming
  // the source. A read that a signal interrupts is repeated.
  virtual size_t read(std::span<char> to) = 0;
  // Bytes of the underlying file taken so far (of a gzip file: compressed ones).
  virtual uint64_t bytes_taken() const = 0;
  // Null unless this is one reader's part of a shared input. Such a part delivers whole lines, a
  // piece at a time: as much of one as a read has room for.
  virtual const Piece* piece() const { return nullptr; }
};

// "-" is standard input. Gzip data is recognised by its first two bytes, whatever the name; a name
// that ends in .gz demands it. Several gzip members are read as one. Throws IoError.
// stop_descriptor: SourceOptions'.
std::unique_ptr<ByteSource> open_byte_source(const std::string& path, int stop_descriptor = -1);

// Reads `bytes`, which must stay alive, in pieces of at most `piece` bytes, as if from a file.
std::unique_ptr<ByteSource> memory_byte_source(std::string_view bytes,
                                               size_t piece = static_cast<size_t>(-1));

// Decompresses `compressed`; `name` is for messages.
std::unique_ptr<ByteSource> gzip_byte_source(std::unique_ptr<ByteSource> compressed,
                                             std::string name);

// The whole of a source, e.g. of a small file. Throws IoError, LimitExceeded beyond `most` bytes.
std::string read_all(ByteSource& source, const std::string& name, size_t most);

}  // namespace postern::input
