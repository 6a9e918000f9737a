#include "invert/points_buffer.h"

#include <cassert>
#include <cstring>
#include <string>

#include "base/sortable_bits.h"
#include "postern/error.h"

namespace postern::invert {

PointsBuffer::PointsBuffer(memory::MemoryCounter& counter, std::string_view field,
                           uint32_t dimensions, uint32_t index_dimensions, uint32_t bytes)
    : field_(field),
      dimensions_(dimensions),
      index_dimensions_(index_dimensions),
      bytes_(bytes),
      value_bytes_(size_t{dimensions} * bytes),
      stride_(point_record_size(value_bytes_)),
      records_(counter) {
  assert(dimensions >= 1 && dimensions <= 16 && bytes >= 1 && bytes <= 16);
  assert(index_dimensions >= 1 && index_dimensions <= 8 && index_dimensions <= dimensions);
}

inline uint8_t* PointsBuffer::append(uint32_t doc) {
  const size_t at = records_.size();
  records_.resize(at + stride_);
  if (doc_count_ == 0 || doc != last_doc_) ++doc_count_;
  last_doc_ = doc;
  uint8_t* record = records_.data() + at;
  set_point_record_doc(record, value_bytes_, doc);
  return record;
}

void PointsBuffer::add(uint32_t doc, const FieldValue& value) {
  const bool one_dimension = dimensions_ == 1;
  switch (value.kind) {
    case ValueKind::kInt:
      require(one_dimension && bytes_ == 4, "an int of 4 bytes");
      pack_int(static_cast<int32_t>(value.integer), append(doc));
      break;
    case ValueKind::kLong:
      require(one_dimension && bytes_ == 8, "a long of 8 bytes");
      pack_long(value.integer, append(doc));
      break;
    case ValueKind::kFloat:
      require(one_dimension && bytes_ == 4, "a float of 4 bytes");
      pack_float(static_cast<float>(value.number), append(doc));
      break;
    case ValueKind::kDouble:
      require(one_dimension && bytes_ == 8, "a double of 8 bytes");
      pack_double(value.number, append(doc));
      break;
    case ValueKind::kBytes:
      if (value.bytes.size() != value_bytes_) refuse(std::to_string(value.bytes.size()) + " bytes");
      std::memcpy(append(doc), value.bytes.data(), value_bytes_);
      break;
    case ValueKind::kText:
    case ValueKind::kTokens:
      refuse("text");
    case ValueKind::kFloatVector:
    case ValueKind::kByteVector:
      refuse("a vector");
  }
}

void PointsBuffer::renumber(std::span<const uint32_t> new_docs) {
  uint8_t* const end = records_.data() + records_.size();
  for (uint8_t* record = records_.data(); record != end; record += stride_) {
    const uint32_t doc = point_record_doc(record, value_bytes_);
    set_point_record_doc(record, value_bytes_, new_docs[doc]);
  }
}

void PointsBuffer::release() {
  records_.release();
  doc_count_ = 0;
}

void PointsBuffer::require(bool fits, std::string_view what) const {
  if (!fits) refuse(what);
}

void PointsBuffer::refuse(std::string_view what) const {
  throw InvalidDocument(
      "field \"" + std::string(field_) + "\": a point has " + std::to_string(dimensions_) +
      (dimensions_ == 1 ? " dimension" : " dimensions") + " of " + std::to_string(bytes_) +
      (bytes_ == 1 ? " byte, " : " bytes, ") + std::to_string(value_bytes_) +
      " in all; the value is " + std::string(what));
}

}  // namespace postern::invert
