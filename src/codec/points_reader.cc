#include "codec/points_reader.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>

#include "base/byte_reader.h"
#include "codec/bkd_leaf_reader.h"
#include "codec/segment_context.h"

namespace postern::codec {
namespace {

// Leaves are read whole; Lucene's have 512 points.
constexpr uint32_t kMaxPointsPerLeaf = 1 << 16;

PointsEntry read_entry(ByteReader& in, uint32_t number) {
  PointsEntry e;
  e.field_number = number;
  if (in.read_be32() != store::kHeaderMagic || in.read_string() != kBkdCodec)
    in.fail("no points tree where that of field " + std::to_string(number) + " should start");
  if (uint32_t version = in.read_be32(); version != kBkdVersion)
    throw NotSupported(std::string(in.name()) + ": version " + std::to_string(version) +
                       " of a points tree; only version " + std::to_string(kBkdVersion) +
                       " is supported");
  e.shape.dimensions = in.read_vint();
  e.shape.index_dimensions = in.read_vint();
  e.points_per_leaf = in.read_vint();
  e.shape.bytes = in.read_vint();
  e.leaves = in.read_vint();
  const BkdShape& shape = e.shape;
  if (shape.dimensions == 0 || shape.dimensions > kMaxPointDimensions ||
      shape.index_dimensions == 0 || shape.index_dimensions > kMaxPointIndexDimensions ||
      shape.index_dimensions > shape.dimensions || shape.bytes == 0 ||
      shape.bytes > kMaxPointBytes || e.points_per_leaf == 0 ||
      e.points_per_leaf > kMaxPointsPerLeaf)
    in.fail("points of field " + std::to_string(number) + " with " +
            std::to_string(shape.index_dimensions) + " of " + std::to_string(shape.dimensions) +
            " dimensions of " + std::to_string(shape.bytes) + " bytes indexed, " +
            std::to_string(e.points_per_leaf) + " in a leaf");
  const auto min = in.read_bytes(shape.index_bytes());
  const auto max = in.read_bytes(shape.index_bytes());
  e.min.assign(min.begin(), min.end());
  e.max.assign(max.begin(), max.end());
  e.points = in.read_vlong();
  e.doc_count = in.read_vint();
  e.index_length = in.read_vint();
  e.data_start = in.read_le64();
  e.index_start = in.read_le64();
  if (e.points == 0 || e.leaves != (e.points - 1) / e.points_per_leaf + 1 || e.doc_count > e.points)
    in.fail(std::to_string(e.points) + " points of field " + std::to_string(number) + " in " +
            std::to_string(e.doc_count) + " documents and " + std::to_string(e.leaves) + " leaves");
  return e;
}

// Walks the inner nodes and reads the leaves in passing.
class TreeWalk {
 public:
  using Visit = std::function<void(const PointsLeaf&)>;

  TreeWalk(const PointsEntry& entry, ByteReader index, ByteReader data, uint32_t max_doc,
           const Visit& visit)
      : entry_(entry),
        shape_(entry.shape),
        index_(index),
        data_(data),
        leaf_(entry.shape, entry.points_per_leaf, max_doc),
        visit_(visit),
        low_(entry.min),
        high_(entry.max),
        seen_docs_(max_doc / kDocsOfABlock + 1) {}

  void run() {
    data_.seek(entry_.data_start);
    node(entry_.leaves, false, 0);
    if (index_.remaining() != 0) index_.fail("bytes behind the last inner node");
    if (points_ != entry_.points) data_.fail("a points tree with another number of points");
    size_t docs = 0;
    for (const auto& block : seen_docs_)
      if (block != nullptr) docs += block->count();
    if (docs != entry_.doc_count)
      data_.fail("points of " + std::to_string(docs) + " documents instead of " +
                 std::to_string(entry_.doc_count));
    if (lowest_ != entry_.min || highest_ != entry_.max)
      data_.fail("bounds of a points tree that are not those of its points");
  }

 private:
  void node(uint32_t leaves, bool is_left, uint64_t pointer) {
    if (!is_left) pointer += index_.read_vlong();
    if (leaves == 1) return leaf(pointer);
    const uint32_t code = index_.read_vint();
    const uint32_t dimension = code % shape_.index_dimensions;
    const size_t at = size_t{dimension} * shape_.bytes;
    const Value kept_split = value_at(last_.data() + at);
    read_split(code / shape_.index_dimensions, dimension, last_.data() + at);
    const Value split = value_at(last_.data() + at);
    const uint32_t left = left_leaf_count(leaves);
    const uint64_t left_bytes = left > 1 ? index_.read_vint() : 0;
    const uint64_t right_at = index_.position() + left_bytes;

    const bool kept_sign = below_[dimension];
    const Value kept_high = value_at(high_.data() + at);
    set(high_.data() + at, split);
    below_[dimension] = true;
    node(left, true, pointer);
    if (index_.position() != right_at) index_.fail("a left subtree of another length");
    set(high_.data() + at, kept_high);
    const Value kept_low = value_at(low_.data() + at);
    set(low_.data() + at, split);
    below_[dimension] = false;
    node(leaves - left, false, pointer);
    set(low_.data() + at, kept_low);
    below_[dimension] = kept_sign;
    set(last_.data() + at, kept_split);
  }

  static constexpr uint32_t kDocsOfABlock = 1 << 16;
  using DocBlock = std::bitset<kDocsOfABlock>;
  using Value = std::array<uint8_t, kMaxPointBytes>;
  Value value_at(const uint8_t* p) const {
    Value v{};
    std::memcpy(v.data(), p, shape_.bytes);
    return v;
  }
  void set(uint8_t* p, const Value& v) const { std::memcpy(p, v.data(), shape_.bytes); }

  // Turns the last split value of the dimension into this node's.
  void read_split(uint32_t code, uint32_t dimension, uint8_t* value) {
    const uint32_t prefix = code % (shape_.bytes + 1);
    const uint32_t delta = code / (shape_.bytes + 1);
    if (prefix == shape_.bytes) return;
    const int64_t byte =
        below_[dimension] ? int64_t{value[prefix]} - delta : int64_t{value[prefix]} + delta;
    if (byte < 0 || byte > 255) index_.fail("a split value out of range");
    value[prefix] = static_cast<uint8_t>(byte);
    const auto rest = index_.read_bytes(shape_.bytes - prefix - 1);
    if (!rest.empty()) std::memcpy(value + prefix + 1, rest.data(), rest.size());
  }

  void leaf(uint64_t pointer) {
    if (pointer != data_.position())
      data_.fail("a leaf that should start at byte " + std::to_string(pointer));
    leaf_.read(data_);
    const auto docs = leaf_.docs();
    points_ += docs.size();
    if (docs.size() != entry_.points_per_leaf && points_ != entry_.points)
      data_.fail("a leaf of " + std::to_string(docs.size()) + " points before the last one");
    for (size_t at = 0; at < shape_.index_bytes(); at += shape_.bytes) {
      if (std::memcmp(leaf_.low().data() + at, low_.data() + at, shape_.bytes) < 0 ||
          std::memcmp(leaf_.high().data() + at, high_.data() + at, shape_.bytes) > 0)
        data_.fail("a leaf with points outside its cell");
      widen(at);
    }
    if (shape_.dimensions == 1) check_order();
    for (uint32_t doc : docs) {
      auto& block = seen_docs_[doc / kDocsOfABlock];
      if (block == nullptr) block = std::make_unique<DocBlock>();
      block->set(doc % kDocsOfABlock);
    }
    visit_({docs, leaf_.values()});
  }

  void widen(size_t at) {
    if (lowest_.empty()) {
      lowest_.assign(leaf_.low().begin(), leaf_.low().end());
      highest_.assign(leaf_.high().begin(), leaf_.high().end());
    }
    if (std::memcmp(leaf_.low().data() + at, lowest_.data() + at, shape_.bytes) < 0)
      std::memcpy(lowest_.data() + at, leaf_.low().data() + at, shape_.bytes);
    if (std::memcmp(leaf_.high().data() + at, highest_.data() + at, shape_.bytes) > 0)
      std::memcpy(highest_.data() + at, leaf_.high().data() + at, shape_.bytes);
  }

  void check_order() {
    const auto values = leaf_.values();
    const auto docs = leaf_.docs();
    for (size_t i = 0; i < docs.size(); ++i) {
      const uint8_t* value = values.data() + i * shape_.bytes;
      if (has_previous_) {
        const int c = std::memcmp(previous_value_.data(), value, shape_.bytes);
        if (c > 0 || (c == 0 && previous_doc_ > docs[i]))
          data_.fail("points of one dimension out of order");
      }
      std::memcpy(previous_value_.data(), value, shape_.bytes);
      previous_doc_ = docs[i];
      has_previous_ = true;
    }
  }

  const PointsEntry& entry_;
  BkdShape shape_;
  ByteReader index_;
  ByteReader data_;
  BkdLeafReader leaf_;
  const Visit& visit_;
  std::vector<uint8_t> low_;  // the cell of the node
  std::vector<uint8_t> high_;
  // Per index dimension: the last split value on the way here, and whether it was left below it.
  std::array<uint8_t, size_t{kMaxPointIndexDimensions} * kMaxPointBytes> last_{};
  std::array<bool, kMaxPointIndexDimensions> below_{};

  // Documents with a point; null where none was seen.
  std::vector<std::unique_ptr<DocBlock>> seen_docs_;
  std::vector<uint8_t> lowest_;
  std::vector<uint8_t> highest_;
  uint64_t points_ = 0;
  bool has_previous_ = false;
  Value previous_value_{};
  uint32_t previous_doc_ = 0;
};

}  // namespace

PointsReader::PointsReader(const Directory& directory, const std::string& segment,
                           const store::ObjectId& id, uint32_t max_doc)
    : meta_name_(segment_file(segment, "", kPointsMetaExtension)),
      index_name_(segment_file(segment, "", kPointsIndexExtension)),
      data_name_(segment_file(segment, "", kPointsDataExtension)),
      max_doc_(max_doc),
      index_file_(directory.open(index_name_)),
      data_file_(directory.open(data_name_)) {
  ByteReader index(index_file_->bytes(), index_name_);
  store::check_index_header(index, {kPointsIndexCodec, kPointsVersion, kPointsVersion, &id, ""});
  store::check_footer(index_file_->bytes(), index_name_, true);
  ByteReader data(data_file_->bytes(), data_name_);
  store::check_index_header(data, {kPointsDataCodec, kPointsVersion, kPointsVersion, &id, ""});
  store::check_footer(data_file_->bytes(), data_name_, false);
  read_meta(directory.open(meta_name_)->bytes(), id);
}

void PointsReader::read_meta(std::span<const uint8_t> file, const store::ObjectId& id) {
  ByteReader meta = store::open_whole(file, meta_name_,
                                      {kPointsMetaCodec, kPointsVersion, kPointsVersion, &id, ""});
  const uint64_t index_size = index_file_->bytes().size();
  const uint64_t data_size = data_file_->bytes().size();
  const uint64_t index_end = index_size - store::kFooterLength;
  for (uint32_t number = meta.read_le32(); number != kPointsEnd; number = meta.read_le32()) {
    PointsEntry entry = read_entry(meta, number);
    if (find(number) != nullptr) meta.fail("two entries of field " + std::to_string(number));
    if (entry.index_start > index_end || entry.index_length > index_end - entry.index_start ||
        entry.data_start > data_size - store::kFooterLength)
      meta.fail("an entry of field " + std::to_string(number) + " that points outside the files");
    entries_.push_back(std::move(entry));
  }
  const uint64_t expected_index = meta.read_le64();
  const uint64_t expected_data = meta.read_le64();
  if (expected_index != index_size || expected_data != data_size)
    meta.fail("lengths of " + std::to_string(expected_index) + " and " +
              std::to_string(expected_data) + " bytes for " + index_name_ + " and " + data_name_ +
              ", which have " + std::to_string(index_size) + " and " + std::to_string(data_size));
  store::check_at_end(meta);
}

const PointsEntry* PointsReader::find(uint32_t field_number) const {
  const auto it = std::ranges::find(entries_, field_number, &PointsEntry::field_number);
  return it == entries_.end() ? nullptr : &*it;
}

void PointsReader::for_each_leaf(const PointsEntry& entry,
                                 const std::function<void(const PointsLeaf&)>& visit) const {
  const auto index =
      index_file_->bytes().subspan(static_cast<size_t>(entry.index_start), entry.index_length);
  const auto data = data_file_->bytes().first(data_file_->bytes().size() - store::kFooterLength);
  TreeWalk(entry, ByteReader(index, index_name_), ByteReader(data, data_name_), max_doc_, visit)
      .run();
}

}  // namespace postern::codec
