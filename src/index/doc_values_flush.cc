#include "index/doc_values_flush.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "codec/doc_values_writer.h"
#include "index/sorted_column.h"

namespace postern::index {
namespace {

using codec::ColumnDocs;
using invert::DocValuesBuffer;

// The columns of a buffer in the order of the sorted segment.
class SortedColumns {
 public:
  SortedColumns(const DocValuesBuffer& values, std::span<const uint32_t> new_docs)
      : order_(values.dense(), values.doc_count(), values.docs(), new_docs),
        old_counts_(values.counts()) {
    if (old_counts_.empty()) return;
    starts_.resize(old_counts_.size());
    std::exclusive_scan(old_counts_.begin(), old_counts_.end(), starts_.begin(), uint64_t{0});
    counts_ = order_.reorder(old_counts_);
  }

  std::span<const uint32_t> docs() const { return order_.docs(); }
  std::span<const uint32_t> counts() const { return counts_; }
  template <class T>
  std::vector<T> reorder(std::span<const T> column) const {
    if (old_counts_.empty()) return order_.reorder(column);
    std::vector<T> out;
    out.reserve(column.size());
    for (uint32_t place : order_.places()) {
      const auto run = column.subspan(starts_[place], old_counts_[place]);
      out.insert(out.end(), run.begin(), run.end());
    }
    return out;
  }

 private:
  SortedColumn order_;
  std::span<const uint32_t> old_counts_;
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

bool is_numeric(DocValuesType type) {
  return type == DocValuesType::kNumeric || type == DocValuesType::kSortedNumeric;
}

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
    std::vector<int64_t> numbers;
    std::vector<uint32_t> ords;
    std::vector<uint8_t> bytes;
    if (is_numeric(values.type())) {
      numbers = sorted.reorder(values.numbers());
    } else if (values.type() == DocValuesType::kBinary) {
      bytes = sorted.reorder(values.bytes());
    } else {
      ords = sorted.reorder(values.ords());
    }
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
