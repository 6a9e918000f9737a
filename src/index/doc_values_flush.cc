#include "index/doc_values_flush.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "codec/doc_values_writer.h"

namespace postern::index {
namespace {

using codec::ColumnDocs;
using invert::DocValuesBuffer;

constexpr uint32_t kAbsent = ~uint32_t{0};

// Brings the columns of a buffer into the order of the sorted segment.
class SortedColumns {
 public:
  SortedColumns(const DocValuesBuffer& values, std::span<const uint32_t> new_docs)
      : values_(values) {
    std::vector<uint32_t> place_of_doc(new_docs.size(), kAbsent);
    for (uint32_t i = 0; i < values.doc_count(); ++i)
      place_of_doc[new_docs[values.dense() ? i : values.docs()[i]]] = i;
    docs_.reserve(values.doc_count());
    places_.reserve(values.doc_count());
    for (uint32_t doc = 0; doc < place_of_doc.size(); ++doc) {
      if (place_of_doc[doc] == kAbsent) continue;
      docs_.push_back(doc);
      places_.push_back(place_of_doc[doc]);
    }
    const std::span<const uint32_t> counts = values.counts();
    if (counts.empty()) return;
    starts_.resize(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), starts_.begin(), uint64_t{0});
    counts_.reserve(counts.size());
    for (uint32_t place : places_) counts_.push_back(counts[place]);
  }

  std::span<const uint32_t> docs() const { return docs_; }
  std::span<const uint32_t> counts() const { return counts_; }
  template <class T>
  std::vector<T> reorder(std::span<const T> column) const {
    std::vector<T> out;
    if (column.empty()) return out;  // of another type, or values without a byte
    out.reserve(column.size());
    for (uint32_t place : places_) {
      const uint64_t start = counts_.empty() ? place : starts_[place];
      const uint64_t count = counts_.empty() ? 1 : values_.counts()[place];
      const auto run = column.subspan(start, count);
      out.insert(out.end(), run.begin(), run.end());
    }
    return out;
  }

 private:
  const DocValuesBuffer& values_;
  std::vector<uint32_t> docs_;
  std::vector<uint32_t> places_;  // of docs_ in the buffer
  std::vector<uint32_t> counts_;
  std::vector<uint64_t> starts_;  // in the buffer
};

// What of a buffer a type's column is made of.
struct Columns {
  ColumnDocs docs;
  std::span<const uint32_t> counts;
  std::span<const int64_t> numbers;
  std::span<const uint32_t> ords;
  std::span<const uint8_t> bytes;
};

void write_terms(const DocValuesBuffer& values, codec::DocValuesWriter& writer) {
  for (uint32_t ord = 0; ord < values.term_count(); ++ord) {
    values.prefetch(ord);
    writer.add_term(values.term(ord));
  }
  writer.finish_terms();
}

void write_columns(const codec::FieldInfo& info, const DocValuesBuffer& values, const Columns& of,
                   codec::DocValuesWriter& writer) {
  switch (values.type()) {
    case DocValuesType::kNumeric:
      writer.add_numeric(info, of.docs, of.numbers);
      return;
    case DocValuesType::kSortedNumeric:
      writer.add_sorted_numeric(info, of.docs, of.counts, of.numbers);
      return;
    case DocValuesType::kBinary:
      writer.add_binary(info, of.docs, of.counts, of.bytes);
      return;
    case DocValuesType::kSorted:
      writer.add_sorted(info, of.docs, of.ords);
      break;
    case DocValuesType::kSortedSet:
      writer.add_sorted_set(info, of.docs, of.counts, of.ords);
      break;
    case DocValuesType::kNone:
      return;
  }
  write_terms(values, writer);
}

void write_field(const codec::SegmentContext& context, const BufferedDocValues& field,
                 std::span<const uint32_t> new_docs, codec::DocValuesWriter& writer) {
  DocValuesBuffer& values = *field.values;
  values.finish();
  Columns columns{{values.docs(), values.doc_count() == context.max_doc},
                  values.counts(),
                  values.numbers(),
                  values.ords(),
                  values.bytes()};
  if (!new_docs.empty()) {
    const SortedColumns sorted(values, new_docs);
    const std::vector<int64_t> numbers = sorted.reorder(values.numbers());
    const std::vector<uint32_t> ords = sorted.reorder(values.ords());
    const std::vector<uint8_t> bytes = sorted.reorder(values.bytes());
    columns.docs.listed = sorted.docs();
    columns = {columns.docs, sorted.counts(), numbers, ords, bytes};
    write_columns(*field.info, values, columns, writer);
    return;
  }
  std::vector<uint32_t> listed;
  if (values.dense() && !columns.docs.all) {
    listed.resize(values.doc_count());
    std::iota(listed.begin(), listed.end(), uint32_t{0});
    columns.docs.listed = listed;
  }
  write_columns(*field.info, values, columns, writer);
}

}  // namespace

void write_doc_values(const codec::SegmentContext& context,
                      std::span<const BufferedDocValues> fields, std::vector<std::string>& files,
                      std::span<const uint32_t> new_docs) {
  auto has_values = [](const BufferedDocValues& field) { return field.values != nullptr; };
  if (std::ranges::none_of(fields, has_values)) return;
  codec::DocValuesWriter writer(context);
  for (const BufferedDocValues& field : fields) {
    if (!has_values(field)) continue;
    write_field(context, field, new_docs, writer);
    auto& attributes = field.info->attributes;
    attributes.emplace_back(codec::kDocValuesFormatKey, codec::kDocValuesFormatName);
    attributes.emplace_back(codec::kDocValuesSuffixKey, codec::kDocValuesSuffixValue);
  }
  writer.close();
  for (std::string& name : writer.files()) files.push_back(std::move(name));
}

}  // namespace postern::index
