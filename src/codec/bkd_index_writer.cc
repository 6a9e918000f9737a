#include "codec/bkd_index_writer.h"

#include <array>
#include <cassert>
#include <cstring>

namespace postern::codec {
namespace {

class Packer {
 public:
  Packer(const BkdShape& shape, const BkdNodes& nodes, ByteBuffer& out)
      : shape_(shape), nodes_(nodes), out_(out) {}

  // The subtree over `leaves` leaves from `first_leaf` on. A left child starts where its parent
  // does; `pointer` is where the parent starts.
  void pack(uint32_t leaves, uint32_t first_leaf, bool is_left, uint64_t pointer) {
    if (!is_left) {
      const uint64_t start = nodes_.leaf_starts[first_leaf];
      out_.write_vlong(start - pointer);
      pointer = start;
    }
    if (leaves == 1) return;
    const uint32_t left = left_leaf_count(leaves);
    const uint32_t split = first_leaf + left - 1;
    const uint32_t dimension = nodes_.split_dimensions[split];
    const uint8_t* value = nodes_.split_values.data() + size_t{split} * shape_.bytes;
    uint8_t* last = last_.data() + size_t{dimension} * shape_.bytes;
    write_split(dimension, value, last);

    std::array<uint8_t, kMaxPointBytes> kept;
    std::memcpy(kept.data(), last, shape_.bytes);
    std::memcpy(last, value, shape_.bytes);
    const bool kept_sign = below_[dimension];
    below_[dimension] = true;
    const size_t left_at = out_.size();
    pack(left, first_leaf, true, pointer);
    if (left > 1) insert_length(left_at);
    below_[dimension] = false;
    pack(leaves - left, first_leaf + left, false, pointer);
    below_[dimension] = kept_sign;
    std::memcpy(last, kept.data(), shape_.bytes);
  }

 private:
  void write_split(uint32_t dimension, const uint8_t* value, const uint8_t* last) {
    const uint32_t bytes = shape_.bytes;
    uint32_t prefix = 0;
    while (prefix < bytes && value[prefix] == last[prefix]) ++prefix;
    uint32_t delta = 0;
    if (prefix < bytes) {
      assert((value[prefix] < last[prefix]) == below_[dimension]);
      delta = below_[dimension] ? last[prefix] - value[prefix] : value[prefix] - last[prefix];
    }
    out_.write_vint((delta * (bytes + 1) + prefix) * shape_.index_dimensions + dimension);
    if (prefix + 1 < bytes) out_.write(value + prefix + 1, bytes - prefix - 1);
  }

  // Puts the length of what was written since `at` in front of it.
  void insert_length(size_t at) {
    const size_t length = out_.size() - at;
    ByteBuffer prefix(8);
    prefix.write_vlong(length);
    out_.resize(out_.size() + prefix.size());
    std::memmove(out_.data() + at + prefix.size(), out_.data() + at, length);
    std::memcpy(out_.data() + at, prefix.data(), prefix.size());
  }

  BkdShape shape_;
  const BkdNodes& nodes_;
  ByteBuffer& out_;
  // Per index dimension: the last split value on the way here, and whether it was left below it.
  std::array<uint8_t, size_t{kMaxPointIndexDimensions} * kMaxPointBytes> last_{};
  std::array<bool, kMaxPointIndexDimensions> below_{};
};

}  // namespace

void pack_bkd_index(const BkdShape& shape, const BkdNodes& nodes, ByteBuffer& out) {
  out.clear();
  Packer(shape, nodes, out).pack(static_cast<uint32_t>(nodes.leaf_starts.size()), 0, false, 0);
}

}  // namespace postern::codec
