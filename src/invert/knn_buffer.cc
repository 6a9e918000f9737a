#include "invert/knn_buffer.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "base/bytes.h"
#include "postern/error.h"

namespace postern::invert {
namespace {

constexpr uint32_t kExponent = 0x7f800000;

bool all_finite(std::string_view floats) {
  uint32_t bad = 0;
  for (size_t at = 0; at < floats.size(); at += sizeof(float)) {
    bad |= (load_le<uint32_t>(floats.data() + at) & kExponent) == kExponent;
  }
  return bad == 0;
}

[[noreturn]] void refuse(const FieldValue& value, const std::string& what) {
  throw InvalidDocument("field \"" + value.field->name() + "\": " + what);
}

[[noreturn]] void refuse_component(const FieldValue& value) {
  for (size_t i = 0;; ++i) {
    const auto component = load_le<float>(value.bytes.data() + i * sizeof(float));
    if (std::isfinite(component)) continue;
    refuse(value, "component " + std::to_string(i) + " of the vector is " +
                      std::to_string(component) + "; vectors are made of finite numbers");
  }
}

}  // namespace

void detail::check_vector_field(const FieldValue& value) {
  const FieldType& type = value.field->type();
  const bool of_floats = value.kind == ValueKind::kFloatVector;
  const bool is_vector = of_floats || value.kind == ValueKind::kByteVector;
  if (type.vector_dimension == 0) {
    if (is_vector) refuse(value, "a vector for a field without a vector dimension");
    return;
  }
  const bool wants_floats = type.vector_encoding == VectorEncoding::kFloat32;
  if (!is_vector || of_floats != wants_floats) {
    refuse(value, std::string("the field takes vectors of ") + (wants_floats ? "floats" : "bytes"));
  }
  const size_t length = value.bytes.size() / (of_floats ? sizeof(float) : 1);
  if (length != type.vector_dimension) {
    refuse(value, "a vector of " + std::to_string(length) + " components; the field's have " +
                      std::to_string(type.vector_dimension));
  }
  if (of_floats && !all_finite(value.bytes)) refuse_component(value);
}

KnnBuffer::KnnBuffer(memory::MemoryCounter& counter, std::string_view field, uint64_t graph_bytes)
    : counter_(counter),
      field_(field),
      graph_bytes_(graph_bytes),
      docs_(counter),
      vectors_(counter) {}

void KnnBuffer::add(uint32_t doc, const FieldValue& value) {
  if (!docs_.empty() && docs_[docs_.size() - 1] == doc) {
    throw InvalidDocument("field \"" + std::string(field_) + "\" of document " +
                          std::to_string(doc) +
                          " of its segment: a second vector; a document has one of a field");
  }
  const size_t at = vectors_.size();
  docs_.reserve(docs_.size() + 1);
  vectors_.resize(at + value.bytes.size());
  std::memcpy(vectors_.data() + at, value.bytes.data(), value.bytes.size());
  docs_.push_back(doc);
  counter_.add(graph_bytes_);
}

void KnnBuffer::release() {
  counter_.sub(graph_bytes_ * docs_.size());
  docs_.release();
  vectors_.release();
}

}  // namespace postern::invert
