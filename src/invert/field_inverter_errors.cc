// What makes a token's document refused, in words.
#include <algorithm>
#include <string>

#include "invert/field_inverter.h"
#include "postern/error.h"

namespace postern::invert {

namespace {

// Printable ASCII as it is, other bytes as \xNN; at most 30 bytes.
std::string excerpt(const uint8_t* bytes, size_t length) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (size_t i = 0; i < std::min<size_t>(length, 30); ++i) {
    uint8_t b = bytes[i];
    if (b >= 0x20 && b < 0x7f) {
      out += static_cast<char>(b);
    } else {
      out += "\\x";
      out += kHex[b >> 4];
      out += kHex[b & 15];
    }
  }
  return length > 30 ? out + "..." : out;
}

}  // namespace

// Repeats the checks one by one, in Lucene's order, to say which one failed. What the document's
// state had taken in by then stays, as it decides a norm (docs/formats/01 §5).
void FieldInverter::refuse(const Token& t) {
  std::string token = " (token '" + excerpt(t.term, t.term_length) + "')";
  int64_t position = now_.position + t.position_increment;
  std::string increment = std::to_string(t.position_increment);
  if (t.position_increment < 0) {
    fail("position increment must be >= 0 (got " + increment + ")" + token);
  }
  if (position < now_.last_position && t.position_increment == 0) {
    fail("first position increment must be > 0 (got " + increment + ")" + token);
  }
  if (position > static_cast<int64_t>(kMaxLength) || position < now_.last_position) {
    fail("position overflowed (increment " + increment + ", last position " +
         std::to_string(now_.last_position) + ", position " + std::to_string(position) +
         "): max allowed position is " + std::to_string(max_position_) + token);
  }
  if (position > int64_t{max_position_}) {
    fail("position " + std::to_string(position) + " is too large: max allowed position is " +
         std::to_string(max_position_) + token);
  }
  now_.position = now_.last_position = position;
  now_.overlaps += t.position_increment == 0;
  uint64_t start = now_.offset_base + t.start_offset;
  uint64_t end = now_.offset_base + t.end_offset;
  if (start < now_.last_start || end < start || end > kMaxLength) {
    fail("offsets must not go backwards nor pass 2147483647: start " + std::to_string(start) +
         ", end " + std::to_string(end) + ", last start " + std::to_string(now_.last_start) +
         token);
  }
  now_.last_start = start;
  if (t.frequency == 0) fail("a term frequency of 0" + token);
  if (now_.length + t.frequency > kMaxLength) {
    fail("too many tokens for the field: their frequencies add up to more than 2147483647" + token);
  }
  now_.length += t.frequency;
  if (t.term_length > max_term_bytes_) {
    fail("immense term of " + std::to_string(t.term_length) +
         " bytes in UTF-8, longer than the max length " + std::to_string(max_term_bytes_) +
         ", beginning with '" + excerpt(t.term, t.term_length) + "'");
  }
  if (single_frequencies_) {
    fail("a term frequency of " + std::to_string(t.frequency) +
         " in a field whose term vectors have positions or offsets" + token);
  }
  if (invert::has_positions(kind_)) {
    fail("a term frequency of " + std::to_string(t.frequency) +
         " in a field with positions (custom frequencies need index options docs and freqs)" +
         token);
  }
  fail("a term frequency of " + std::to_string(t.frequency) +
       " for a term that a field without frequencies already has" + token);
}

void FieldInverter::fail(const std::string& what) const {
  throw InvalidDocument("field '" + name_ + "' of document " + std::to_string(now_.doc) + ": " +
                        what);
}

}  // namespace postern::invert
