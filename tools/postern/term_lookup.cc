#include "term_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "codec/compound.h"
#include "codec/field_infos.h"
#include "codec/file_names.h"
#include "codec/live_docs.h"
#include "codec/postings_format.h"
#include "codec/postings_reader.h"
#include "codec/segment_commit.h"
#include "codec/stored_fields_reader.h"
#include "codec/terms_reader.h"
#include "postern/directory.h"
#include "postern/error.h"

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

// One segment, opened as far as looking terms up needs.
class Segment {
 public:
  Segment(const Directory& directory, const codec::SegmentCommitInfo& commit) : info_(commit.info) {
    if (info_.compound) {
      inner_ = std::make_unique<codec::CompoundReader>(directory, info_.name, info_.id);
    }
    const Directory& files = inner_ ? *inner_ : directory;
    if (commit.field_infos_gen >= 0) {
      fields_ =
          codec::read_field_infos(directory, info_.name, info_.id,
                                  codec::to_base36(static_cast<uint64_t>(commit.field_infos_gen)));
    } else {
      fields_ = codec::read_field_infos(files, info_.name, info_.id, "");
    }
    live_ = commit.del_gen >= 0 ? codec::read_live_docs(directory, info_.name, info_.id,
                                                        static_cast<uint64_t>(commit.del_gen),
                                                        info_.max_doc, commit.del_count)
                                : codec::all_live(info_.max_doc);
    if (codec::has_postings_files(fields_)) {
      terms_ =
          std::make_unique<codec::TermsReader>(files, info_.name, info_.id, fields_, info_.max_doc);
      postings_ = std::make_unique<codec::PostingsReader>(files, info_.name, info_.id, fields_,
                                                          info_.max_doc);
    }
    const std::string* mode = info_.attribute(codec::kStoredFieldsModeKey);
    stored_ = std::make_unique<codec::StoredFieldsReader>(
        files, info_.name, info_.id,
        codec::stored_fields_mode(mode != nullptr ? *mode : "", info_.name + ".si"), info_.max_doc);
  }

  bool knows(const std::string& field) const {
    return std::any_of(fields_.fields.begin(), fields_.fields.end(),
                       [&](const codec::FieldInfo& f) { return f.name == field; });
  }

  // Adds what this segment has; its first document is number `base` of the index.
  void look_up(const std::string& field, uint64_t base, uint32_t first, TermResult& result) {
    const codec::FieldTerms* terms = terms_ ? terms_->field(field) : nullptr;
    const auto state = terms != nullptr ? terms->find(result.term) : std::nullopt;
    if (!state) return;
    codec::PostingsCursor cursor = postings_->postings(terms->parts(), *state);
    while (cursor.next_doc() != codec::PostingsCursor::kNoMoreDocs) {
      if (!codec::is_live(live_, cursor.doc())) continue;
      ++result.documents;
      result.occurrences += cursor.freq();
      if (result.first.size() < first) {
        result.first.push_back({base + cursor.doc(), cursor.freq(), stored_values(cursor.doc())});
      }
    }
  }

 private:
  std::vector<std::pair<std::string, std::string>> stored_values(uint32_t doc) {
    std::vector<std::pair<std::string, std::string>> values;
    stored_->visit(doc, [&](const codec::StoredValue& value) {
      std::string name = fmt::format("#{}", value.field_number);
      for (const codec::FieldInfo& f : fields_.fields) {
        if (f.number == value.field_number) name = f.name;
      }
      values.emplace_back(std::move(name), text_of(value));
    });
    return values;
  }

  const codec::SegmentInfo& info_;
  std::unique_ptr<codec::CompoundReader> inner_;
  codec::FieldInfos fields_;
  std::vector<uint64_t> live_;
  std::unique_ptr<codec::TermsReader> terms_;
  std::unique_ptr<codec::PostingsReader> postings_;
  std::unique_ptr<codec::StoredFieldsReader> stored_;
};

}  // namespace

std::vector<TermResult> look_up(const std::string& index, const std::string& field,
                                const std::vector<std::string>& terms, uint32_t first) {
  // open_directory would make the folder.
  if (!std::filesystem::is_directory(index)) {
    throw InvalidArgument(fmt::format("there is no index {}", index));
  }
  const std::unique_ptr<Directory> directory = open_directory(index);
  const std::optional<codec::Commit> commit = codec::read_latest_commit(*directory);
  if (!commit) throw InvalidArgument(fmt::format("there is no index in {}", index));
  std::vector<TermResult> results;
  for (const std::string& term : terms) results.push_back({.term = term, .first = {}});
  bool known = commit->segments.empty();
  uint64_t base = 0;
  for (const codec::SegmentCommitInfo& info : commit->segments) {
    Segment segment(*directory, info);
    known = known || segment.knows(field);
    for (TermResult& result : results) segment.look_up(field, base, first, result);
    base += info.info.max_doc;
  }
  if (!known) {
    throw InvalidArgument(fmt::format("the index {} has no field \"{}\"", index, field));
  }
  return results;
}

}  // namespace postern::tool
