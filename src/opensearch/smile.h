// JSON values in the binary form Smile, in which OpenSearch keeps the files of a repository. The
// plain subset: no shared names or strings, byte strings raw.
//
//   header              3A 29 0A 04
//   { } [ ]             FA FB F8 F9
//   null, false, true   21 22 23
//   integer             24 (32 bits) or 25 (64), zigzag, in groups of 7 bits, highest first, the
//   last
//                       group of 6 with bit 7 set
//   double              29, the 64 bits in groups of 7, highest first
//   text                E4, UTF-8, FC; empty 20
//   key                 34, UTF-8, FC; empty 20
//   bytes               FD, length as an integer's groups, the bytes
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "input/json_tree.h"

namespace postern::opensearch {

// Begin and end calls must match, and a key stand before each value of an object: not checked.
class SmileWriter {
 public:
  SmileWriter();

  void begin_object() { out_ += '\xFA'; }
  void end_object() { out_ += '\xFB'; }
  void begin_array() { out_ += '\xF8'; }
  void end_array() { out_ += '\xF9'; }
  SmileWriter& key(std::string_view utf8);
  void text(std::string_view utf8);
  void number(int64_t value);
  void real(double value);
  void boolean(bool value) { out_ += value ? '\x23' : '\x22'; }
  void null() { out_ += '\x21'; }
  void bytes(std::string_view bytes);
  // Numbers with a fraction, an exponent or more than 64 bits become doubles.
  void value(const input::JsonNode& node);

  const std::string& out() const { return out_; }

 private:
  void varint(uint64_t value);

  std::string out_;
};

}  // namespace postern::opensearch
