#include "codec/bkd_writer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "base/checked.h"
#include "base/point_record.h"
#include "codec/bkd_index_writer.h"
#include "codec/bkd_leaf_writer.h"
#include "codec/bkd_sort.h"
#include "store/codec_header.h"

namespace postern::codec {
namespace {

// Lowest and highest value of each index dimension.
struct Box {
  std::array<uint8_t, size_t{kMaxPointIndexDimensions} * kMaxPointBytes> low;
  std::array<uint8_t, size_t{kMaxPointIndexDimensions} * kMaxPointBytes> high;
};

class TreeBuilder {
 public:
  TreeBuilder(const BkdShape& shape, std::span<uint8_t> records, uint32_t max_doc,
              store::IndexOutput& data)
      : shape_(shape),
        records_(shape, records.data(), max_doc),
        count_(records.size() / records_.stride()),
        data_(data),
        leaf_(shape, records_, data) {
    const size_t leaves = (count_ + kPointsPerLeaf - 1) / kPointsPerLeaf;
    leaf_count_ = checked_cast<uint32_t>(leaves, "the number of leaves of a field's points");
    nodes_.leaf_starts.reserve(leaves);
    nodes_.split_dimensions.resize(leaves - 1);
    nodes_.split_values.resize((leaves - 1) * shape.bytes);
  }

  void build() {
    if (shape_.dimensions == 1) {
      build_one_dimension();
    } else {
      bounds(0, count_, box_);
      build_node({0, count_, leaf_count_, 0}, box_);
    }
  }

  size_t count() const { return count_; }
  uint32_t leaf_count() const { return leaf_count_; }
  const Box& box() const { return box_; }
  const BkdNodes& nodes() const { return nodes_; }

 private:
  struct Range {
    size_t from;
    size_t to;
    uint32_t leaves;
    uint32_t first_leaf;
  };

  void build_one_dimension() {
    records_.sort(0, count_, 0);
    std::memcpy(box_.low.data(), records_.at(0), shape_.bytes);
    std::memcpy(box_.high.data(), records_.at(count_ - 1), shape_.bytes);
    for (size_t from = 0; from < count_; from += kPointsPerLeaf) {
      if (from != 0) set_split(from / kPointsPerLeaf - 1, 0, records_.at(from));
      nodes_.leaf_starts.push_back(data_.file_pointer());
      leaf_.write_sorted(from, std::min<size_t>(from + kPointsPerLeaf, count_));
    }
  }

  void build_node(const Range& range, const Box& cell) {
    if (range.leaves == 1) {
      nodes_.leaf_starts.push_back(data_.file_pointer());
      leaf_.write(range.from, range.to);
      return;
    }
    Box box = cell;
    uint32_t splits = 0;
    for (uint32_t n : split_counts_) splits += n;
    if (range.leaves != leaf_count_ && shape_.index_dimensions > 2 && splits % 4 == 0)
      bounds(range.from, range.to, box);
    const uint32_t dimension = split_dimension(box);
    const uint32_t left = left_leaf_count(range.leaves);
    const size_t middle = range.from + size_t{left} * kPointsPerLeaf;
    records_.select(range.from, range.to, middle, dimension);

    const size_t at = size_t{dimension} * shape_.bytes;
    std::array<uint8_t, kMaxPointBytes> value;
    std::memcpy(value.data(), records_.at(middle) + at, shape_.bytes);
    set_split(range.first_leaf + left - 1, dimension, records_.at(middle));
    ++split_counts_[dimension];
    Box half = box;
    std::memcpy(half.high.data() + at, value.data(), shape_.bytes);
    build_node({range.from, middle, left, range.first_leaf}, half);
    std::memcpy(box.low.data() + at, value.data(), shape_.bytes);
    build_node({middle, range.to, range.leaves - left, range.first_leaf + left}, box);
    --split_counts_[dimension];
  }

  void set_split(size_t split, uint32_t dimension, const uint8_t* record) {
    nodes_.split_dimensions[split] = static_cast<uint8_t>(dimension);
    std::memcpy(nodes_.split_values.data() + split * shape_.bytes,
                record + size_t{dimension} * shape_.bytes, shape_.bytes);
  }

  // A dimension that has been split less than half as often as another one, or else the widest.
  uint32_t split_dimension(const Box& box) const {
    const uint32_t most = *std::max_element(split_counts_.begin(), split_counts_.end());
    for (uint32_t d = 0; d < shape_.index_dimensions; ++d) {
      const size_t at = size_t{d} * shape_.bytes;
      if (split_counts_[d] < most / 2 &&
          std::memcmp(box.low.data() + at, box.high.data() + at, shape_.bytes) != 0)
        return d;
    }
    uint32_t widest = 0;
    std::array<uint8_t, kMaxPointBytes> width{};
    for (uint32_t d = 0; d < shape_.index_dimensions; ++d) {
      const auto w = difference(box, d);
      if (d == 0 || w > width) {
        width = w;
        widest = d;
      }
    }
    return widest;
  }

  // high - low as a big-endian number; bytes behind it are zero.
  std::array<uint8_t, kMaxPointBytes> difference(const Box& box, uint32_t dimension) const {
    std::array<uint8_t, kMaxPointBytes> out{};
    const size_t at = size_t{dimension} * shape_.bytes;
    int borrow = 0;
    for (uint32_t b = shape_.bytes; b-- > 0;) {
      const int d = box.high[at + b] - box.low[at + b] - borrow;
      borrow = d < 0 ? 1 : 0;
      out[b] = static_cast<uint8_t>(d + 256 * borrow);
    }
    return out;
  }

  void bounds(size_t from, size_t to, Box& box) const {
    std::memcpy(box.low.data(), records_.at(from), shape_.index_bytes());
    std::memcpy(box.high.data(), records_.at(from), shape_.index_bytes());
    for (size_t i = from + 1; i < to; ++i) {
      const uint8_t* value = records_.at(i);
      for (size_t at = 0; at < shape_.index_bytes(); at += shape_.bytes) {
        if (std::memcmp(value + at, box.low.data() + at, shape_.bytes) < 0) {
          std::memcpy(box.low.data() + at, value + at, shape_.bytes);
        } else if (std::memcmp(value + at, box.high.data() + at, shape_.bytes) > 0) {
          std::memcpy(box.high.data() + at, value + at, shape_.bytes);
        }
      }
    }
  }

  BkdShape shape_;
  BkdRecords records_;
  size_t count_;
  store::IndexOutput& data_;
  BkdLeafWriter leaf_;
  uint32_t leaf_count_ = 0;
  Box box_;
  BkdNodes nodes_;
  // How often each dimension was split on the way from the root.
  std::array<uint32_t, kMaxPointIndexDimensions> split_counts_{};
};

}  // namespace

void write_bkd_tree(const BkdShape& shape, std::span<uint8_t> records, uint32_t max_doc,
                    uint32_t doc_count, const BkdOutputs& out) {
  assert(!records.empty());
  const uint64_t data_start = out.data.file_pointer();
  TreeBuilder tree(shape, records, max_doc, out.data);
  tree.build();
  ByteBuffer index;
  pack_bkd_index(shape, tree.nodes(), index);

  store::IndexOutput& meta = out.meta;
  meta.write_be32(store::kHeaderMagic);
  meta.write_string(kBkdCodec);
  meta.write_be32(kBkdVersion);
  meta.write_vint(shape.dimensions);
  meta.write_vint(shape.index_dimensions);
  meta.write_vint(kPointsPerLeaf);
  meta.write_vint(shape.bytes);
  meta.write_vint(tree.leaf_count());
  meta.write_bytes({tree.box().low.data(), shape.index_bytes()});
  meta.write_bytes({tree.box().high.data(), shape.index_bytes()});
  meta.write_vlong(tree.count());
  meta.write_vint(doc_count);
  meta.write_vint(checked_cast<uint32_t>(index.size(), "the packed index of a field's points"));
  meta.write_le64(data_start);
  meta.write_le64(out.index.file_pointer());
  out.index.write_bytes(index.bytes());
}

}  // namespace postern::codec
