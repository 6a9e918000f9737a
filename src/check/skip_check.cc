#include <algorithm>

#include "check/column_parts.h"
#include "codec/doc_values_format.h"
#include "postern/error.h"

namespace postern::check {
namespace {

using codec::SkipInterval;

// The level-0 intervals behind one of level `level`.
constexpr size_t group_of(uint32_t level) { return size_t{1} << (codec::kSkipLevelShift * level); }

// Levels of record i of a batch of n (docs/formats/22 §7).
uint32_t highest_level(size_t i, size_t n) {
  for (uint32_t level = codec::kSkipLevels - 1; level > 0; --level)
    if (i % group_of(level) == 0 && n - i >= group_of(level)) return level;
  return 0;
}

void extend(SkipInterval& all, const SkipInterval& next) {
  if (all.doc_count == 0) {
    all = next;
    return;
  }
  all.max_doc = next.max_doc;
  all.max_value = std::max(all.max_value, next.max_value);
  all.min_value = std::min(all.min_value, next.min_value);
  all.doc_count += next.doc_count;
}

}  // namespace

SkipCheck::SkipCheck(const codec::DocValuesReader& reader, const codec::FieldInfo& field)
    : field_(field), entry_(*reader.find(field.number)->skip_index) {
  std::vector<SkipInterval> all;
  reader.visit_skip_index(field.number, [&](const SkipInterval& interval) {
    if (interval.level == 0) expected_.push_back(interval);
    all.push_back(interval);
  });
  check_levels(all);
}

void SkipCheck::fail(const std::string& what) const {
  throw CorruptIndex("the skip index of field '" + field_.name + "': " + what);
}

void SkipCheck::check_levels(const std::vector<SkipInterval>& all) const {
  size_t at = 0;
  for (size_t i = 0; i < expected_.size(); ++i) {
    const size_t batch = i / codec::kSkipBatch * codec::kSkipBatch;
    const size_t batch_size = std::min(codec::kSkipBatch, expected_.size() - batch);
    for (uint32_t level = highest_level(i - batch, batch_size) + 1; level-- > 0; ++at) {
      if (at == all.size() || all[at].level != level)
        fail("interval " + std::to_string(i) + " has other levels than readers expect");
      SkipInterval group;
      for (size_t k = 0; k < group_of(level); ++k) extend(group, expected_[i + k]);
      group.level = level;
      if (!(all[at] == group))
        fail("interval " + std::to_string(i) + " of level " + std::to_string(level) +
             " is not the sum of those below it");
    }
  }
  if (at != all.size()) fail("it has more levels than readers expect");
}

void SkipCheck::add(uint32_t doc, int64_t value) {
  if (found_.empty() || doc > found_.back().max_doc) {
    // A document of its own, until it is seen to lie in the same interval as the one before.
    const bool same = !found_.empty() && found_.size() <= expected_.size() &&
                      doc <= expected_[found_.size() - 1].max_doc;
    const SkipInterval own{0, doc, doc, value, value, 1};
    if (same) {
      extend(found_.back(), own);
    } else {
      found_.push_back(own);
    }
    return;
  }
  found_.back().max_value = std::max(found_.back().max_value, value);
  found_.back().min_value = std::min(found_.back().min_value, value);
}

void SkipCheck::finish() const {
  for (size_t i = 0; i < std::max(found_.size(), expected_.size()); ++i) {
    if (i >= found_.size() || i >= expected_.size() || !(found_[i] == expected_[i]))
      fail("interval " + std::to_string(i) + " is not that of the values");
  }
  SkipInterval all;
  for (const SkipInterval& interval : found_) extend(all, interval);
  const bool right =
      entry_.doc_count == all.doc_count &&
      (found_.empty() ? entry_.max_doc == -1
                      : entry_.max_doc == static_cast<int32_t>(all.max_doc) &&
                            entry_.min_value == all.min_value && entry_.max_value == all.max_value);
  if (!right) fail("its recorded range is not that of the values");
}

}  // namespace postern::check
