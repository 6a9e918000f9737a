// Ranges of documents with the range of their values, in up to four levels (docs/formats/22 §7).
#include <algorithm>
#include <limits>
#include <vector>

#include "codec/doc_values_columns.h"
#include "codec/doc_values_format.h"

namespace postern::codec {
namespace {

struct Interval {
  uint32_t min_doc = 0;
  uint32_t max_doc = 0;
  uint32_t doc_count = 0;
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = std::numeric_limits<int64_t>::min();

  // What follows the interval becomes part of it.
  void extend(const Interval& next) {
    if (doc_count == 0) min_doc = next.min_doc;
    max_doc = next.max_doc;
    doc_count += next.doc_count;
    min = std::min(min, next.min);
    max = std::max(max, next.max);
  }
  // A full interval goes on as long as documents without a gap keep its only value.
  bool full(uint32_t doc, size_t count, int64_t value) const {
    if (doc_count < kSkipIntervalDocs) return false;
    return !(count == 1 && min == max && min == value && doc_count == doc - min_doc);
  }
};

void write(const Interval& interval, store::IndexOutput& data) {
  data.write_le32(interval.max_doc);
  data.write_le32(interval.min_doc);
  data.write_le64(static_cast<uint64_t>(interval.max));
  data.write_le64(static_cast<uint64_t>(interval.min));
  data.write_le32(interval.doc_count);
}

uint32_t highest_level(size_t i, size_t batch) {
  for (uint32_t level = kSkipLevels - 1; level > 0; --level) {
    const size_t group = size_t{1} << (kSkipLevelShift * level);
    if (i % group == 0 && batch - i >= group) return level;
  }
  return 0;
}

void write_batch(const std::vector<Interval>& batch, store::IndexOutput& data) {
  for (size_t i = 0; i < batch.size(); ++i) {
    const uint32_t top = highest_level(i, batch.size());
    data.write_byte(static_cast<uint8_t>(top + 1));
    for (uint32_t level = top + 1; level-- > 0;) {
      Interval group;
      for (size_t k = 0; k < size_t{1} << (kSkipLevelShift * level); ++k)
        group.extend(batch[i + k]);
      write(group, data);
    }
  }
}

}  // namespace

template <class Value>
void write_skip_index(const ColumnDocs& docs, uint32_t doc_count, std::span<const uint32_t> counts,
                      std::span<const Value> values, store::IndexOutput& data,
                      store::IndexOutput& meta) {
  const uint64_t start = data.file_pointer();
  std::vector<Interval> batch;
  Interval interval;
  Interval total;
  auto finish_interval = [&] {
    total.extend(interval);
    batch.push_back(interval);
    interval = {};
    if (batch.size() == kSkipBatch) {
      write_batch(batch, data);
      batch.clear();
    }
  };
  size_t at = 0;
  for (size_t i = 0; i < doc_count; ++i) {
    const size_t count = counts.empty() ? 1 : counts[i];
    const uint32_t doc = docs[i];
    if (interval.full(doc, count, static_cast<int64_t>(values[at]))) finish_interval();
    Interval own{doc, doc, 1};
    for (Value v : values.subspan(at, count)) {
      own.min = std::min(own.min, static_cast<int64_t>(v));
      own.max = std::max(own.max, static_cast<int64_t>(v));
    }
    interval.extend(own);
    at += count;
  }
  if (interval.doc_count != 0) finish_interval();
  write_batch(batch, data);
  meta.write_le64(start);
  meta.write_le64(data.file_pointer() - start);
  meta.write_le64(static_cast<uint64_t>(total.max));
  meta.write_le64(static_cast<uint64_t>(total.min));
  meta.write_le32(doc_count);
  meta.write_le32(doc_count == 0 ? ~uint32_t{0} : total.max_doc);
}
template void write_skip_index(const ColumnDocs&, uint32_t, std::span<const uint32_t>,
                               std::span<const int64_t>, store::IndexOutput&, store::IndexOutput&);
template void write_skip_index(const ColumnDocs&, uint32_t, std::span<const uint32_t>,
                               std::span<const uint32_t>, store::IndexOutput&, store::IndexOutput&);

}  // namespace postern::codec
