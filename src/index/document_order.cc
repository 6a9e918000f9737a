#include "index/document_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "base/sortable_bits.h"
#include "codec/index_sort_format.h"
#include "postern/error.h"

namespace postern::index {
namespace {

using invert::DocValuesBuffer;

bool is_numeric(const SortKey& key) {
  return key.doc_values == DocValuesType::kNumeric ||
         key.doc_values == DocValuesType::kSortedNumeric;
}

// The integer that sorts as the stored number does.
int64_t comparable(const SortKey& key, int64_t stored) {
  const bool raw = key.doc_values == DocValuesType::kNumeric;  // IEEE bits of floating point
  switch (key.number) {
    case SortNumber::kInt:
      return static_cast<int32_t>(stored);
    case SortNumber::kFloat:
      return raw ? static_cast<int32_t>(stored ^ ((stored >> 63) & 0x7fffffff)) : stored;
    case SortNumber::kDouble:
      return raw ? stored ^ ((stored >> 63) & std::numeric_limits<int64_t>::max()) : stored;
    case SortNumber::kLong:
      break;
  }
  return stored;
}

int64_t missing_value(const SortKey& key) {
  if (is_numeric(key)) return codec::missing_number(key);
  return codec::missing_string_first(key) ? -1 : std::numeric_limits<int32_t>::max();
}

std::string describe(const std::vector<std::string>& keys) {
  if (keys.empty()) return "not sorted";
  std::string text = "sorted by ";
  for (const std::string& key : keys) {
    if (&key != &keys.front()) text += ", then by ";
    text += codec::describe_sort_key(key);
  }
  return text;
}

// What moves as one: a document, or a block.
struct Unit {
  int64_t key;
  uint32_t rank;   // by the keys that count less
  uint32_t block;  // which one, as they came
};

// The last document of each unit.
class Units {
 public:
  Units(const DocValuesBuffer* parents, uint32_t documents)
      : parents_(parents != nullptr && !(parents->dense() && parents->doc_count() == documents)
                     ? parents
                     : nullptr),
        documents_(documents) {}

  uint32_t count() const {
    if (parents_ == nullptr) return documents_;
    const uint32_t n = parents_->doc_count();
    return n != 0 && last_parent() + 1 == documents_ ? n : n + 1;
  }
  uint32_t last(uint32_t unit) const {
    if (parents_ == nullptr) return unit;
    if (unit == parents_->doc_count()) return documents_ - 1;
    return parents_->dense() ? unit : parents_->docs()[unit];
  }
  uint32_t first(uint32_t unit) const { return unit == 0 ? 0 : last(unit - 1) + 1; }

 private:
  uint32_t last_parent() const { return last(parents_->doc_count() - 1); }

  const DocValuesBuffer* parents_;  // null: every document is a unit
  uint32_t documents_;
};

// Calls visit(unit, value) for each unit whose last document has a value, ascending.
template <class Visit>
void for_each_value(const DocumentOrder::Key& key, const Units& units, Visit&& visit) {
  const DocValuesBuffer& values = *key.values;
  const auto counts = values.counts();
  const bool max = key.key.mode == SortMode::kMax;
  uint64_t at = 0;
  uint32_t unit = 0;
  const uint32_t unit_count = units.count();
  for (uint32_t i = 0; i < values.doc_count(); ++i) {
    const uint32_t doc = values.dense() ? i : values.docs()[i];
    const uint32_t count = counts.empty() ? 1 : counts[i];
    while (unit < unit_count && units.last(unit) < doc) ++unit;
    if (unit < unit_count && units.last(unit) == doc) {
      const uint64_t place = max ? at + count - 1 : at;
      visit(unit, is_numeric(key.key) ? comparable(key.key, values.numbers()[place])
                                      : int64_t{values.ords()[place]});
    }
    at += count;
  }
}

// Orders by one key, equal units by their rank.
void sort_by(const DocumentOrder::Key& key, const Units& units, memory::GrowArray<Unit>& order) {
  const auto n = static_cast<uint32_t>(order.size());
  for (uint32_t i = 0; i < n; ++i) order[i].rank = i;
  const int64_t turned = key.key.descending ? -1 : 0;  // ~v sorts the other way round
  // By unit, so that values find theirs.
  auto by_block = [](const Unit& a, const Unit& b) { return a.block < b.block; };
  if (!std::is_sorted(order.data(), order.data() + n, by_block))
    std::sort(order.data(), order.data() + n, by_block);
  const int64_t missing = missing_value(key.key) ^ turned;
  for (uint32_t i = 0; i < n; ++i) order[i].key = missing;
  if (key.values != nullptr)
    for_each_value(key, units, [&](uint32_t unit, int64_t v) { order[unit].key = v ^ turned; });
  auto by_key = [](const Unit& a, const Unit& b) {
    return a.key != b.key ? a.key < b.key : a.rank < b.rank;
  };
  if (!std::is_sorted(order.data(), order.data() + n, by_key))
    std::sort(order.data(), order.data() + n, by_key);
}

}  // namespace

uint64_t sort_working_bytes(uint32_t documents) {
  const size_t n = documents;
  const uint64_t numbers = memory::GrowBytes::charge_of(n * sizeof(uint32_t));
  const uint64_t records = memory::GrowBytes::charge_of(n * sizeof(Unit));
  const uint64_t column = 24 * n;  // see SortedColumn, and the starts and counts beside it
  return 2 * numbers + std::max(records + numbers, column);
}

void DocumentOrder::sort(std::span<const Key> keys, const DocValuesBuffer* parents,
                         uint32_t documents) {
  const Units units(parents, documents);
  memory::GrowArray<Unit> order(counter_);
  order.resize(units.count());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = {0, i, i};
  for (size_t k = keys.size(); k-- > 0;) sort_by(keys[k], units, order);
  auto moved = [](const Unit& a, const Unit& b) { return a.block > b.block; };
  if (std::adjacent_find(order.data(), order.data() + order.size(), moved) ==
      order.data() + order.size())
    return;
  old_docs_.reserve(documents);
  new_docs_.resize(documents);
  for (const Unit& unit : order.span()) {
    for (uint32_t doc = units.first(unit.block); doc <= units.last(unit.block); ++doc) {
      new_docs_[doc] = static_cast<uint32_t>(old_docs_.size());
      old_docs_.push_back(doc);
    }
  }
}

void check_sort(const IndexSort& sort) {
  for (const SortKey& key : sort) {
    if (key.doc_values == DocValuesType::kNone || key.doc_values == DocValuesType::kBinary) {
      throw InvalidArgument("index_sort: the key \"" + key.field +
                            "\" needs numeric, sorted_numeric, sorted or sorted_set doc values");
    }
  }
}

void require_same_sort(const IndexSort& sort, const codec::SegmentInfo& segment) {
  if (sort.empty()) return;
  std::vector<std::string> keys;
  for (const SortKey& key : sort) keys.push_back(codec::encode_sort_key(key));
  if (keys.size() <= segment.index_sort.size() &&
      std::equal(keys.begin(), keys.end(), segment.index_sort.begin()))
    return;
  throw InvalidArgument("segment " + segment.name + " is " + describe(segment.index_sort) +
                        "; the index sort of an index cannot be changed to " + describe(keys));
}

}  // namespace postern::index
