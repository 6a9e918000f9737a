#include "term_lookup.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "codec/segment_commit.h"
#include "open_index.h"
#include "postern/directory.h"
#include "postern/error.h"
#include "read/segment_reader.h"

namespace postern::tool {

namespace {

std::string text_of(const codec::StoredValue& value) {
  switch (value.type) {
    case codec::StoredType::kString:
      return std::string(value.bytes);
    case codec::StoredType::kBytes:
      return fmt::format("<{} bytes>", value.bytes.size());
    case codec::StoredType::kInt:
    case codec::StoredType::kLong:
      return std::to_string(value.integer);
    case codec::StoredType::kFloat:
    case codec::StoredType::kDouble:
      return fmt::format("{}", value.number);
  }
  return {};
}

using Stored = std::vector<std::pair<std::string, std::string>>;

Stored stored_values(read::SegmentReader& segment, uint32_t doc) {
  Stored values;
  segment.stored_fields().visit(doc, [&](const codec::StoredValue& value) {
    const codec::FieldInfo* field = segment.fields().by_number(value.field_number);
    values.emplace_back(field != nullptr ? field->name : fmt::format("#{}", value.field_number),
                        text_of(value));
  });
  return values;
}

// Adds what the segment has; its first document is number `base` of the index.
void look_up_in(read::SegmentReader& segment, const std::string& field, uint64_t base,
                uint32_t first, TermResult& result) {
  const codec::TermsReader* terms = segment.terms();
  const codec::FieldTerms* its_terms = terms != nullptr ? terms->field(field) : nullptr;
  const auto state = its_terms != nullptr ? its_terms->find(result.term) : std::nullopt;
  if (!state) return;
  codec::PostingsCursor cursor = segment.postings()->postings(its_terms->parts(), *state);
  while (cursor.next_doc() != codec::PostingsCursor::kNoMoreDocs) {
    if (!segment.is_live(cursor.doc())) continue;
    ++result.documents;
    result.occurrences += cursor.freq();
    if (result.first.size() < first) {
      result.first.push_back(
          {base + cursor.doc(), cursor.freq(), stored_values(segment, cursor.doc())});
    }
  }
}

}  // namespace

std::vector<TermResult> look_up(const std::string& index, const std::string& field,
                                const std::vector<std::string>& terms, uint32_t first) {
  const std::unique_ptr<Directory> directory = open_existing(index);
  const std::optional<codec::Commit> commit = codec::read_latest_commit(*directory);
  if (!commit) throw InvalidArgument(fmt::format("there is no index in {}", index));
  std::vector<TermResult> results;
  for (const std::string& term : terms) results.push_back({.term = term, .first = {}});
  bool known = commit->segments.empty();
  uint64_t base = 0;
  for (const codec::SegmentCommitInfo& info : commit->segments) {
    read::SegmentReader segment(*directory, info);
    known = known || segment.fields().by_name(field) != nullptr;
    for (TermResult& result : results) look_up_in(segment, field, base, first, result);
    base += info.info.max_doc;
  }
  if (!known) {
    throw InvalidArgument(fmt::format("the index {} has no field \"{}\"", index, field));
  }
  return results;
}

}  // namespace postern::tool
