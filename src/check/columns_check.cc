// Doc values (docs/formats/22): values of every document, ordinals, addresses, and what readers
// jump by.
#include <algorithm>
#include <map>
#include <optional>

#include "check/column_parts.h"
#include "check/parts.h"
#include "codec/doc_values_format.h"

namespace postern::check {
namespace {

using codec::DocValuesEntry;
using codec::DocValuesKind;
using codec::FieldInfo;

constexpr const char* kPart = "doc values";

bool is_constant(const DocValuesEntry& entry) {
  return entry.numbers.width == 0 && entry.numbers.block_shift == 0;
}

class ColumnsCheck {
 public:
  explicit ColumnsCheck(const Part& part) : part_(part) {}

  Counts run() {
    std::map<const codec::DocValuesReader*, uint64_t> claimed;
    for (const FieldInfo& field : part_.segment.fields().fields) {
      if (field.doc_values == DocValuesType::kNone) continue;
      part_.guarded(
          kPart,
          [&] {
            const codec::DocValuesReader& reader = *part_.segment.doc_values(field);
            field_ = &field;
            const DocValuesEntry* entry = reader.find(field.number);
            if (entry == nullptr) fail("has no column");
            // No two columns share bytes; so all of them cost no more than their file.
            claimed[&reader] += bytes_of(*entry);
            if (claimed[&reader] > reader.data_size()) fail("its column overlaps others");
            check(reader, *entry);
          },
          &field);
    }
    part_.guarded(kPart, [&] { check_soft_deletes(); });
    return {{"columns", columns_}, {"values", values_}};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw CorruptIndex(part_.name() + ": field '" + field_->name + "': " + what);
  }
  [[noreturn]] void fail_at(uint32_t doc, const std::string& what) const {
    fail("document " + std::to_string(doc) + ": " + what);
  }

  static uint64_t bytes_of(const DocValuesEntry& entry) {
    uint64_t bytes = entry.numbers.values.length;
    if (entry.binary) bytes += entry.binary->bytes.length;
    if (entry.terms) bytes += entry.terms->terms.length + entry.terms->keys.length;
    if (entry.skip_index) bytes += entry.skip_index->range.length;
    if (entry.addresses) bytes += entry.addresses->range.length;
    const codec::DocsWithFieldMeta& docs = entry.binary ? entry.binary->docs : entry.numbers.docs;
    return bytes + (docs.offset >= 0 ? docs.length : 0);
  }

  void check(const codec::DocValuesReader& reader, const DocValuesEntry& entry) {
    ++columns_;
    reader.check_jumps(field_->number);
    if (entry.binary) {
      check_binary(reader, *entry.binary);
      return;
    }
    const uint64_t terms = entry.terms ? check_dictionary(reader, *field_) : 0;
    if (entry.terms) check_ordinal_encoding(entry);
    const uint32_t docs = check_counts(reader, entry);
    if (entry.doc_count && *entry.doc_count != docs)
      fail("its column is said to have " + std::to_string(*entry.doc_count) +
           " documents, it has " + std::to_string(docs));
    check_numbers(reader, entry, terms);
  }

  void check_binary(const codec::DocValuesReader& reader, const codec::BinaryEntry& binary) {
    uint32_t docs = 0;
    uint64_t shortest = UINT64_MAX;
    uint64_t longest = 0;
    reader.visit_bytes(field_->number, [&](uint32_t, std::span<const uint8_t> value) {
      ++docs;
      shortest = std::min<uint64_t>(shortest, value.size());
      longest = std::max<uint64_t>(longest, value.size());
    });
    values_ += docs;
    if (docs != binary.doc_count)
      fail("its column has " + std::to_string(docs) + " documents, recorded are " +
           std::to_string(binary.doc_count));
    if (docs != 0 && (shortest != binary.min_length || longest != binary.max_length))
      fail("its values have " + std::to_string(shortest) + " to " + std::to_string(longest) +
           " bytes, recorded are " + std::to_string(binary.min_length) + " to " +
           std::to_string(binary.max_length));
  }

  // What readers insist on (docs/formats/22 §2.3), and can do without.
  void check_ordinal_encoding(const DocValuesEntry& entry) const {
    const codec::NumbersEntry& n = entry.numbers;
    if (n.width != 0 && n.block_shift == 0 && (n.has_table || n.min != 0 || n.gcd != 1))
      fail("its ordinals are encoded like numbers");
    if (entry.kind == DocValuesKind::kSortedSet && entry.doc_count && !entry.addresses)
      fail("its column has one value per document but is said to have more");
  }

  // Returns the number of documents. Every document of a column has a value.
  uint32_t check_counts(const codec::DocValuesReader& reader, const DocValuesEntry& entry) const {
    uint32_t docs = 0;
    reader.visit_counts(field_->number, [&](uint32_t doc, uint64_t count) {
      ++docs;
      if (count == 0) fail_at(doc, "it is in the column but has no value");
      if (count > INT32_MAX) fail_at(doc, "it has " + std::to_string(count) + " values");
      if (entry.terms && count > (is_constant(entry) ? 1 : entry.terms->count))
        fail_at(doc, "it has " + std::to_string(count) + " ordinals of " +
                         std::to_string(entry.terms->count) + " terms");
    });
    return docs;
  }

  void check_numbers(const codec::DocValuesReader& reader, const DocValuesEntry& entry,
                     uint64_t terms) {
    std::optional<SkipCheck> skip;
    if (entry.skip_index) skip.emplace(reader, *field_);
    values_ += entry.numbers.count;
    const bool ordinals = entry.terms.has_value();
    std::vector<bool> used(static_cast<size_t>(terms));
    uint64_t used_count = 0;
    uint32_t last_doc = UINT32_MAX;
    int64_t last = 0;
    visit_values(reader, field_->number, [&](uint32_t doc, int64_t value) {
      if (doc == last_doc && (ordinals ? value <= last : value < last))
        fail_at(doc, "its values are not in order");
      last_doc = doc;
      last = value;
      if (skip) skip->add(doc, value);
      if (!ordinals) return;
      if (value < 0 || static_cast<uint64_t>(value) >= terms)
        fail_at(doc, "it has the ordinal " + std::to_string(value));
      if (used[static_cast<size_t>(value)]) return;
      used[static_cast<size_t>(value)] = true;
      ++used_count;
    });
    if (used_count != terms)
      fail(std::to_string(terms - used_count) + " terms of its dictionary are in no document");
    if (skip) skip->finish();
  }

  // The commit counts documents that have the soft-deletes field and are not deleted otherwise.
  void check_soft_deletes() const {
    const codec::SegmentCommitInfo& commit = part_.segment.commit();
    const auto& fields = part_.segment.fields().fields;
    const auto field = std::ranges::find_if(fields, &FieldInfo::soft_deletes);
    uint32_t found = 0;
    if (field != fields.end() && field->doc_values != DocValuesType::kNone) {
      const codec::DocValuesReader& reader = *part_.segment.doc_values(*field);
      auto count = [&](uint32_t doc) { found += part_.segment.is_live(doc); };
      reader.visit_counts(field->number, [&](uint32_t doc, uint64_t) { count(doc); });
      reader.visit_bytes(field->number,
                         [&](uint32_t doc, std::span<const uint8_t>) { count(doc); });
    }
    if (found != commit.soft_del_count)
      throw CorruptIndex(part_.name() + ": " + std::to_string(found) +
                         " documents are soft-deleted, the commit says " +
                         std::to_string(commit.soft_del_count));
  }

  const Part& part_;
  const FieldInfo* field_ = nullptr;
  uint64_t columns_ = 0;
  uint64_t values_ = 0;
};

}  // namespace

void visit_values(const codec::DocValuesReader& reader, uint32_t field_number,
                  const std::function<void(uint32_t doc, int64_t value)>& visitor) {
  const DocValuesEntry* entry = reader.find(field_number);
  if (entry == nullptr) return;
  if (is_constant(*entry)) {
    reader.visit_counts(field_number,
                        [&](uint32_t doc, uint64_t) { visitor(doc, entry->numbers.min); });
  } else {
    reader.visit_numbers(field_number, visitor);
  }
}

Counts check_doc_values(const Part& part) { return ColumnsCheck(part).run(); }

}  // namespace postern::check
