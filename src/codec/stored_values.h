// Serialises the stored values of documents (docs/formats/12 §1).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/byte_buffer.h"
#include "codec/stored_fields_format.h"

namespace postern::codec {

// Appends one document after the other to a buffer whose owner empties it now and then. Values keep
// the order in which they are added; a field may have several. Strings are not checked to be UTF-8.
// Errors: InvalidDocument when the buffer would pass 2 GiB - 1 with a value; the document keeps the
// values it had.
class StoredValues {
 public:
  void add_string(uint32_t field_number, std::string_view utf8) {
    add_sized(field_number, StoredType::kString, utf8);
  }
  void add_bytes(uint32_t field_number, std::string_view bytes) {
    add_sized(field_number, StoredType::kBytes, bytes);
  }
  void add_int(uint32_t field_number, int32_t value);
  void add_long(uint32_t field_number, int64_t value);
  void add_float(uint32_t field_number, float value);
  void add_double(uint32_t field_number, double value);

 protected:
  // `headroom`: bytes less than 2 GiB - 1 that a buffer may have.
  explicit StoredValues(uint32_t headroom = 0) : headroom_(headroom) {}
  ~StoredValues() = default;

  // `doc`: its number, for messages.
  void start_values(uint32_t doc) {
    doc_ = doc;
    value_count_ = 0;
    start_ = values_.size();
  }
  // Of the current document.
  uint32_t value_count() const { return value_count_; }
  uint32_t values_length() const { return static_cast<uint32_t>(values_.size() - start_); }

  ByteBuffer values_;

 private:
  void begin_value(uint32_t field_number, StoredType type, uint64_t most_bytes);
  void add_sized(uint32_t field_number, StoredType type, std::string_view value);

  uint32_t headroom_;
  uint32_t doc_ = 0;
  uint32_t value_count_ = 0;
  size_t start_ = 0;
};

}  // namespace postern::codec
