// The order of the documents of a sorted segment (docs/formats/11 §3.1, 02 §9).
#include <algorithm>
#include <bit>
#include <limits>

#include "base/byte_reader.h"
#include "base/sortable_bits.h"
#include "check/column_parts.h"
#include "check/parts.h"

namespace postern::check {
namespace {

constexpr const char* kPart = "index sort";

// One key as `.si` records it.
struct Key {
  std::string field;
  bool reverse = false;
  bool strings = false;
  enum class Bits { kInteger, kFloat, kDouble } bits = Bits::kInteger;  // raw floating point
  enum class Pick { kOnly, kMin, kMax, kMiddleMin, kMiddleMax } pick = Pick::kOnly;
  int64_t missing = 0;
};

constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
constexpr int64_t kLast = std::numeric_limits<int64_t>::max();

void read_missing(ByteReader& in, const std::string& type, Key& key) {
  if (key.strings) key.missing = kFirst;
  if (in.read_le32() == 0) return;
  if (key.strings) {
    key.missing = in.read_le32() == 1 ? kFirst : kLast;
  } else if (type == "LONG" || type == "DOUBLE") {
    key.missing = static_cast<int64_t>(in.read_le64());
  } else {
    key.missing = static_cast<int32_t>(in.read_le32());
  }
}

// The bytes have been checked when the `.si` was read.
Key read_key(const std::string& bytes, std::string_view file) {
  ByteReader in({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, file);
  Key key;
  const std::string provider = in.read_string();
  key.field = in.read_string();
  if (provider == "SortedSetSortField") {
    key.strings = true;
    key.reverse = in.read_le32() != 0;
    constexpr Key::Pick kPicks[] = {Key::Pick::kMin, Key::Pick::kMax, Key::Pick::kMiddleMin,
                                    Key::Pick::kMiddleMax};
    key.pick = kPicks[in.read_le32() & 3];
    key.missing = in.read_le32() == 2 ? kLast : kFirst;
    return key;
  }
  const std::string type = in.read_string();
  key.strings = type == "STRING";
  key.reverse = in.read_le32() != 0;
  if (provider == "SortedNumericSortField") {
    key.pick = in.read_le32() == 0 ? Key::Pick::kMin : Key::Pick::kMax;
  } else if (type == "FLOAT") {
    key.bits = Key::Bits::kFloat;
  } else if (type == "DOUBLE") {
    key.bits = Key::Bits::kDouble;
  }
  read_missing(in, type, key);
  return key;
}

int64_t comparable(const Key& key, int64_t value) {
  switch (key.bits) {
    case Key::Bits::kFloat:
      return sortable_float_bits(std::bit_cast<float>(static_cast<int32_t>(value)));
    case Key::Bits::kDouble:
      return sortable_double_bits(std::bit_cast<double>(value));
    case Key::Bits::kInteger:
      return value;
  }
  return value;
}

// Compares each document with the one before it, key by key; a key counts only where all before it
// were equal. Blocks of documents are sorted as wholes, by the values of their last document, which
// the parent field marks.
class SortCheck {
 public:
  explicit SortCheck(const Part& part)
      : part_(part), counts_(part.segment.max_doc(), true), tied_(part.segment.max_doc(), true) {
    const auto& fields = part.segment.fields().fields;
    const auto parent = std::ranges::find_if(fields, &codec::FieldInfo::parent);
    if (parent == fields.end() || parent->doc_values == DocValuesType::kNone) return;
    counts_.assign(counts_.size(), false);
    visit_values(*part.segment.doc_values(*parent), parent->number,
                 [&](uint32_t doc, int64_t) { counts_[doc] = true; });
  }

  void check(const Key& key) {
    key_ = &key;
    next_doc_ = 0;
    any_ = false;
    const codec::FieldInfo* field = part_.segment.fields().by_name(key.field);
    if (field != nullptr && field->doc_values != DocValuesType::kNone) {
      std::vector<int64_t> values;
      uint32_t doc = 0;
      auto finish_doc = [&] {
        if (!values.empty()) take(doc, comparable(key, pick(values)));
        values.clear();
      };
      visit_values(*part_.segment.doc_values(*field), field->number,
                   [&](uint32_t d, int64_t value) {
                     if (d != doc) finish_doc();
                     doc = d;
                     values.push_back(value);
                   });
      finish_doc();
    }
    while (next_doc_ < part_.segment.max_doc()) step(key.missing);
  }

 private:
  int64_t pick(const std::vector<int64_t>& values) const {
    switch (key_->pick) {
      case Key::Pick::kMax:
        return values.back();
      case Key::Pick::kMiddleMin:
        return values[(values.size() - 1) / 2];
      case Key::Pick::kMiddleMax:
        return values[values.size() / 2];
      case Key::Pick::kOnly:
      case Key::Pick::kMin:
        return values.front();
    }
    return values.front();
  }

  void take(uint32_t doc, int64_t value) {
    while (next_doc_ < doc) step(key_->missing);
    step(value);
  }

  void step(int64_t value) {
    const uint32_t doc = next_doc_++;
    if (!counts_[doc]) return;
    if (any_ && tied_[doc] && value != last_) {
      if ((value < last_) != key_->reverse)
        throw CorruptIndex(part_.name() + ": documents " + std::to_string(last_doc_) + " and " +
                           std::to_string(doc) + " are not in the order of field '" + key_->field +
                           "', by which the segment is sorted");
      tied_[doc] = false;
    }
    any_ = true;
    last_ = value;
    last_doc_ = doc;
  }

  const Part& part_;
  const Key* key_ = nullptr;
  std::vector<bool> counts_;  // all documents, or the last ones of blocks
  std::vector<bool> tied_;    // with the one before that counts, by all keys so far
  bool any_ = false;
  uint32_t last_doc_ = 0;
  uint32_t next_doc_ = 0;
  int64_t last_ = 0;
};

}  // namespace

Counts check_index_sort(const Part& part) {
  const codec::SegmentInfo& info = part.segment.commit().info;
  if (info.index_sort.empty()) return {};
  part.guarded(kPart, [&] {
    SortCheck check(part);
    for (const std::string& bytes : info.index_sort)
      check.check(read_key(bytes, part.name() + ".si"));
  });
  return {};
}

}  // namespace postern::check
