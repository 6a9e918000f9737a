#include "codec/bkd_leaf_reader.h"

#include <cstring>
#include <string>

#include "codec/bkd_doc_ids.h"

namespace postern::codec {

namespace {

// No dimension is sorted by: values come with all their suffix bytes.
constexpr uint32_t kNotSorted = 0xffffffff;

}  // namespace

void BkdLeafReader::read(ByteReader& in) {
  const uint32_t count = in.read_vint();
  if (count == 0 || count > points_per_leaf_)
    in.fail("a leaf of " + std::to_string(count) + " points");
  read_bkd_docs(in, count, max_doc_, docs_);
  uint32_t suffix = shape_.value_bytes();
  for (uint32_t d = 0; d < shape_.dimensions; ++d) {
    prefixes_[d] = in.read_vint();
    if (prefixes_[d] > shape_.bytes)
      in.fail("a common prefix of " + std::to_string(prefixes_[d]) + " bytes");
    const auto prefix = in.read_bytes(prefixes_[d]);
    if (!prefix.empty())
      std::memcpy(value_.data() + size_t{d} * shape_.bytes, prefix.data(), prefix.size());
    suffix -= prefixes_[d];
  }
  values_.clear();
  const auto encoding = static_cast<int8_t>(in.read_byte());
  if (encoding == kValuesEqual) {
    if (suffix != 0) in.fail("a leaf of equal points without their whole value");
    for (uint32_t i = 0; i < count; ++i)
      values_.insert(values_.end(), value_.begin(), value_.begin() + shape_.value_bytes());
    find_bounds();
  } else {
    read_values(in, count, encoding);
  }
}

void BkdLeafReader::read_values(ByteReader& in, uint32_t count, int8_t encoding) {
  std::span<const uint8_t> bounds;
  if (shape_.index_dimensions != 1) {
    uint32_t bytes = 0;
    for (uint32_t d = 0; d < shape_.index_dimensions; ++d)
      bytes += 2 * (shape_.bytes - prefixes_[d]);
    bounds = in.read_bytes(bytes);
  }
  const auto sorted =
      encoding == kValuesLowCardinality ? kNotSorted : static_cast<uint32_t>(encoding);
  if (encoding != kValuesLowCardinality &&
      (encoding < 0 || sorted >= shape_.dimensions || prefixes_[sorted] == shape_.bytes))
    in.fail("a leaf's values in encoding " + std::to_string(encoding));
  for (uint32_t done = 0; done < count;) {
    const uint8_t byte = sorted == kNotSorted ? uint8_t{0} : in.read_byte();
    const uint32_t run = sorted == kNotSorted ? in.read_vint() : in.read_byte();
    if (run == 0 || run > count - done)
      in.fail("a run of " + std::to_string(run) + " points where " + std::to_string(count - done) +
              " are left");
    for (uint32_t i = 0; i < run; ++i) {
      if (i == 0 || sorted != kNotSorted) read_value(in, sorted, byte);
      values_.insert(values_.end(), value_.begin(), value_.begin() + shape_.value_bytes());
    }
    done += run;
  }
  find_bounds();
  for (uint32_t d = 0; !bounds.empty() && d < shape_.index_dimensions; ++d) {
    const size_t at = size_t{d} * shape_.bytes + prefixes_[d];
    const size_t suffix = shape_.bytes - prefixes_[d];
    if (std::memcmp(bounds.data(), low_.data() + at, suffix) != 0 ||
        std::memcmp(bounds.data() + suffix, high_.data() + at, suffix) != 0)
      in.fail("bounds of a leaf that are not those of its points");
    bounds = bounds.subspan(2 * suffix);
  }
}

void BkdLeafReader::read_value(ByteReader& in, uint32_t sorted, uint8_t sorted_byte) {
  for (uint32_t d = 0; d < shape_.dimensions; ++d) {
    size_t at = prefixes_[d];
    uint8_t* value = value_.data() + size_t{d} * shape_.bytes;
    if (d == sorted) value[at++] = sorted_byte;
    const auto rest = in.read_bytes(shape_.bytes - at);
    if (!rest.empty()) std::memcpy(value + at, rest.data(), rest.size());
  }
}

void BkdLeafReader::find_bounds() {
  low_.assign(values_.begin(), values_.begin() + shape_.index_bytes());
  high_ = low_;
  for (size_t i = shape_.value_bytes(); i < values_.size(); i += shape_.value_bytes()) {
    for (size_t at = 0; at < shape_.index_bytes(); at += shape_.bytes) {
      const uint8_t* value = values_.data() + i + at;
      if (std::memcmp(value, low_.data() + at, shape_.bytes) < 0)
        std::memcpy(low_.data() + at, value, shape_.bytes);
      if (std::memcmp(value, high_.data() + at, shape_.bytes) > 0)
        std::memcpy(high_.data() + at, value, shape_.bytes);
    }
  }
}

}  // namespace postern::codec
