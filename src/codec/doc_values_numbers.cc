// Which encoding a column of numbers gets, and the encodings (docs/formats/22 §2).
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "base/bytes.h"
#include "codec/direct_monotonic.h"
#include "codec/direct_writer.h"
#include "codec/doc_values_columns.h"
#include "codec/doc_values_format.h"

namespace postern::codec {
namespace {

constexpr size_t kBlock = size_t{1} << kNumberBlockShift;

// Differences wrap, as Java's do.
constexpr uint64_t difference(int64_t a, int64_t b) {
  return static_cast<uint64_t>(a) - static_cast<uint64_t>(b);
}

template <class Value>
struct Range {
  explicit Range(std::span<const Value> values) {
    for (Value v : values) {
      min = std::min<Value>(min, v);
      max = std::max<Value>(max, v);
    }
  }
  uint64_t spread() const {
    return difference(static_cast<int64_t>(max), static_cast<int64_t>(min));
  }

  Value min = std::numeric_limits<Value>::max();
  Value max = std::numeric_limits<Value>::min();
};

// Divides multiples of a number by it: the odd part by its inverse modulo 2^64.
class ExactDivisor {
 public:
  explicit ExactDivisor(uint64_t divisor)
      : shift_(static_cast<uint32_t>(std::countr_zero(divisor))) {
    const uint64_t odd = divisor >> shift_;
    inverse_ = odd;  // right in the low 3 bits; each step doubles them
    for (int bits = 3; bits < 64; bits *= 2) inverse_ *= 2 - odd * inverse_;
  }
  uint64_t operator()(uint64_t multiple) const { return (multiple >> shift_) * inverse_; }

 private:
  uint32_t shift_;
  uint64_t inverse_;
};

// 0 if all values are equal; 1 for good once a value lies so far out that differences might
// overflow.
template <class Value>
uint64_t common_divisor(std::span<const Value> values) {
  uint64_t gcd = 0;
  for (Value v : values) {
    if constexpr (std::is_same_v<Value, int64_t>) {
      constexpr int64_t kFar = std::numeric_limits<int64_t>::max() / 2;
      if (v > kFar || v < -kFar - 1) return 1;
    }
    const uint64_t d = difference(std::max(v, values[0]), std::min(v, values[0]));
    if (d == 0 || (gcd != 0 && d % gcd == 0)) continue;
    gcd = std::gcd(gcd, d);
    if (gcd == 1) return 1;
  }
  return gcd;
}

// The distinct values, as long as they are few.
class DistinctValues {
 public:
  // False, and of no further use, if there are more than kMaxTable.
  bool collect(std::span<const int64_t> values) {
    for (int64_t v : values) {
      uint32_t slot = slot_of(v);
      if (used_[slot]) continue;
      if (sorted_.size() == kMaxTable) return false;
      used_[slot] = true;
      values_[slot] = v;
      sorted_.push_back(v);
    }
    std::ranges::sort(sorted_);
    for (uint32_t rank = 0; rank < sorted_.size(); ++rank)
      ranks_[slot_of(sorted_[rank])] = static_cast<uint8_t>(rank);
    return true;
  }
  const std::vector<int64_t>& sorted() const { return sorted_; }
  // Of a value that was collected.
  uint8_t rank(int64_t v) const { return ranks_[slot_of(v)]; }

 private:
  static constexpr uint32_t kSlotBits = 10;
  static constexpr uint32_t kSlots = 1u << kSlotBits;

  // Where v is, or would go.
  uint32_t slot_of(int64_t v) const {
    auto slot =
        static_cast<uint32_t>(static_cast<uint64_t>(v) * 0x9e3779b97f4a7c15ull >> (64 - kSlotBits));
    while (used_[slot] && values_[slot] != v) slot = (slot + 1) & (kSlots - 1);
    return slot;
  }

  std::array<int64_t, kSlots> values_;
  std::array<bool, kSlots> used_{};
  std::array<uint8_t, kSlots> ranks_;
  std::vector<int64_t> sorted_;
};

template <class Value>
void write_packed(std::span<const Value> values, int64_t min, uint64_t gcd, uint32_t width,
                  store::IndexOutput& data) {
  DirectWriter out(data, width);
  if (gcd == 1) {
    for (Value v : values) out.add(difference(static_cast<int64_t>(v), min));
  } else {
    const ExactDivisor divide(gcd);
    for (Value v : values) out.add(divide(difference(static_cast<int64_t>(v), min)));
  }
  out.finish();
}

template <class Value>
class NumbersWriter {
 public:
  NumbersWriter(std::span<const Value> values, store::IndexOutput& data, store::IndexOutput& meta)
      : values_(values), data_(data), meta_(meta), range_(values), start_(data.file_pointer()) {}

  void write() {
    meta_.write_le64(values_.size());
    if (values_.empty()) {
      // What Lucene's running minimum started from.
      describe(kNoTable, 0, std::numeric_limits<int64_t>::max(), 0);
      finish(kNoJumpTable);
      return;
    }
    gcd_ = common_divisor(values_);
    if (range_.min == range_.max) {
      describe(kNoTable, 0, min(), gcd_);
      finish(kNoJumpTable);
      return;
    }
    width_ = direct_width(range_.spread() / gcd_);
    if (write_table()) return;
    if (blocks_pay()) {
      write_blocks();
    } else {
      write_single();
    }
  }

 private:
  static constexpr uint64_t kNoJumpTable = ~uint64_t{0};

  int64_t min() const { return static_cast<int64_t>(range_.min); }

  void describe(int32_t table, uint32_t width, int64_t min, uint64_t gcd) {
    meta_.write_le32(static_cast<uint32_t>(table));
    meta_.write_byte(static_cast<uint8_t>(width));
    meta_.write_le64(static_cast<uint64_t>(min));
    meta_.write_le64(gcd);
  }
  void finish(uint64_t jump_table) {
    meta_.write_le64(start_);
    meta_.write_le64(data_.file_pointer() - start_);
    meta_.write_le64(jump_table);
  }

  bool write_table() {
    if constexpr (std::is_same_v<Value, int64_t>) {
      if (width_ == 1) return false;
      DistinctValues distinct;
      if (!distinct.collect(values_)) return false;
      const uint32_t width = direct_width(distinct.sorted().size() - 1);
      if (width >= width_) return false;
      meta_.write_le32(static_cast<uint32_t>(distinct.sorted().size()));
      for (int64_t v : distinct.sorted()) meta_.write_le64(static_cast<uint64_t>(v));
      meta_.write_byte(static_cast<uint8_t>(width));
      meta_.write_le64(0);
      meta_.write_le64(1);
      DirectWriter out(data_, width);
      for (int64_t v : values_) out.add(distinct.rank(v));
      out.finish();
      finish(kNoJumpTable);
      return true;
    } else {
      return false;
    }
  }

  std::span<const Value> block(size_t at) const {
    return values_.subspan(at, std::min(kBlock, values_.size() - at));
  }

  // Blocks of their own widths save a tenth. The divisor plays no part in this estimate.
  bool blocks_pay() const {
    if (values_.size() <= kBlock) return false;
    uint64_t blocked = 0;
    for (size_t at = 0; at < values_.size(); at += kBlock) {
      const auto members = block(at);
      const uint64_t spread = Range<Value>(members).spread();
      if (spread != 0) blocked += direct_width(spread) * members.size();
    }
    const uint64_t whole = direct_width(range_.spread()) * values_.size();
    return static_cast<double>(blocked) / static_cast<double>(whole) <= 0.9;
  }

  void write_blocks() {
    std::vector<uint64_t> starts;
    for (size_t at = 0; at < values_.size(); at += kBlock) {
      starts.push_back(data_.file_pointer());
      const auto members = block(at);
      const Range<Value> range(members);
      const uint64_t spread = range.spread();
      const uint32_t width = spread == 0 ? 0 : direct_width(spread / gcd_);
      const auto base = static_cast<int64_t>(range.min);
      data_.write_byte(static_cast<uint8_t>(width));
      data_.write_le64(static_cast<uint64_t>(base));
      if (width == 0) continue;
      data_.write_le32(static_cast<uint32_t>(direct_size(members.size(), width)));
      write_packed(members, base, gcd_, width, data_);
    }
    const uint64_t jump_table = data_.file_pointer();
    for (uint64_t start : starts) data_.write_le64(start);
    data_.write_le64(jump_table);
    describe(-2 - static_cast<int32_t>(kNumberBlockShift), kBlocksWidth, min(), gcd_);
    finish(jump_table);
  }

  void write_single() {
    // Counting from zero saves the reader an addition, if it costs no bits.
    const bool from_zero =
        gcd_ == 1 && range_.min > 0 &&
        direct_width(static_cast<uint64_t>(range_.max)) == direct_width(range_.spread());
    const int64_t base = from_zero ? 0 : min();
    describe(kNoTable, width_, base, gcd_);
    write_packed(values_, base, gcd_, width_, data_);
    finish(kNoJumpTable);
  }

  std::span<const Value> values_;
  store::IndexOutput& data_;
  store::IndexOutput& meta_;
  Range<Value> range_;
  uint64_t start_;
  uint64_t gcd_ = 0;
  uint32_t width_ = 0;  // of (max - min) / gcd
};

}  // namespace

template <class Value>
void write_numbers(std::span<const Value> values, store::IndexOutput& data,
                   store::IndexOutput& meta) {
  NumbersWriter<Value>(values, data, meta).write();
}
template void write_numbers(std::span<const int64_t>, store::IndexOutput&, store::IndexOutput&);
template void write_numbers(std::span<const uint32_t>, store::IndexOutput&, store::IndexOutput&);

void write_addresses(std::span<const uint32_t> lengths, store::IndexOutput& data,
                     store::IndexOutput& meta) {
  const uint64_t start = data.file_pointer();
  meta.write_le64(start);
  meta.write_vint(kDocValuesMonotonicShift);
  DirectMonotonicWriter out(meta, data, kDocValuesMonotonicShift);
  int64_t end = 0;
  out.add(end);
  for (uint32_t length : lengths) out.add(end += length);
  out.finish();
  meta.write_le64(data.file_pointer() - start);
}

}  // namespace postern::codec
