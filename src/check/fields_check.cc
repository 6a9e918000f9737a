// Field infos against what they go with: the files of the segment and the generations of the commit
// (docs/formats/11).
#include <algorithm>
#include <set>

#include "base/utf8.h"
#include "check/parts.h"
#include "codec/doc_values_format.h"
#include "codec/file_names.h"
#include "codec/postings_format.h"
#include "codec/segment_context.h"
#include "codec/stored_fields_format.h"
#include "codec/vector_format.h"

namespace postern::check {
namespace {

using codec::FieldInfo;
using codec::FieldInfos;

constexpr const char* kPart = "field infos";

bool any(const FieldInfos& infos, bool (*has)(const FieldInfo&)) {
  return std::ranges::any_of(infos.fields, has);
}

bool has_known_vectors(const FieldInfo& field) {
  return std::ranges::any_of(field.attributes, [](const auto& attribute) {
    return attribute.first == codec::kVectorFormatKey &&
           attribute.second == codec::kVectorFormatName;
  });
}

// The files of a core whose fields are these, without `.si`.
std::set<std::string> core_files(const std::string& segment, const FieldInfos& infos) {
  std::set<std::string> files;
  auto add = [&](const std::string& suffix, std::initializer_list<const char*> extensions) {
    for (const char* extension : extensions)
      files.insert(codec::segment_file(segment, suffix, extension));
  };
  add("", {"fnm", "fdt", "fdx", "fdm"});
  if (any(infos, [](const FieldInfo& f) { return f.term_vectors; })) add("", {"tvd", "tvx", "tvm"});
  if (infos.any_norms()) add("", {"nvd", "nvm"});
  if (any(infos, [](const FieldInfo& f) { return f.point_dimensions != 0; }))
    add("", {"kdd", "kdi", "kdm"});
  if (any(infos, [](const FieldInfo& f) { return f.doc_values != DocValuesType::kNone; }))
    add(codec::kDocValuesSuffix, {"dvd", "dvm"});
  if (any(infos, has_known_vectors))
    add(codec::kVectorSuffix, {codec::kVectorDataExtension, codec::kVectorMetaExtension,
                               codec::kGraphDataExtension, codec::kGraphMetaExtension});
  if (codec::has_postings_files(infos)) {
    add(codec::kPostingsSuffix, {"doc", "psm", "tim", "tip", "tmd"});
    if (infos.any_positions()) add(codec::kPostingsSuffix, {"pos"});
    if (infos.any_positions() && infos.any_offsets_or_payloads())
      add(codec::kPostingsSuffix, {"pay"});
  }
  return files;
}

void compare_files(const Part& part, const std::string& list, std::set<std::string> expected,
                   const std::vector<std::string>& listed) {
  for (const std::string& name : listed) {
    if (expected.erase(name) == 0)
      part.findings.note(list + " has the file " + name + ", which no field needs");
  }
  for (const std::string& name : expected)
    part.findings.problem(part.name(), kPart, list + " lacks " + name + ", which its fields need");
}

void check_files(const Part& part) {
  const codec::SegmentInfo& info = part.segment.commit().info;
  std::set<std::string> core = core_files(info.name, part.segment.core_fields());
  std::vector<std::string> listed;
  for (const std::string& name : info.files)
    if (name != info.name + ".si") listed.push_back(name);
  if (part.segment.compound() == nullptr) {
    compare_files(part, info.name + ".si", std::move(core), listed);
  } else {
    compare_files(part, info.name + ".si", {info.name + ".cfs", info.name + ".cfe"}, listed);
    compare_files(part, info.name + ".cfe", std::move(core), part.segment.compound()->list());
  }
}

// A field whose doc values are of a generation has its files in the commit, and no other has.
void check_generations(const Part& part) {
  const codec::SegmentCommitInfo& commit = part.segment.commit();
  std::set<uint32_t> updated;
  for (const codec::DocValuesUpdate& update : commit.doc_values_updates) {
    const FieldInfo* field = part.segment.fields().by_number(update.field_number);
    updated.insert(update.field_number);
    if (field == nullptr || field->doc_values_generation == -1)
      throw CorruptIndex(part.name() + ": the commit has updated doc values of field " +
                         std::to_string(update.field_number) + ", the field infos have none");
    const std::string suffix =
        codec::to_base36(static_cast<uint64_t>(field->doc_values_generation)) + "_" +
        codec::kDocValuesSuffix;
    std::set<std::string> files(update.files.begin(), update.files.end());
    if (files != std::set{codec::segment_file(part.name(), suffix, "dvd"),
                          codec::segment_file(part.name(), suffix, "dvm")})
      throw CorruptIndex(part.name() + ": the commit's files of doc values of field '" +
                         field->name + "' are not those of generation " +
                         std::to_string(field->doc_values_generation));
  }
  for (const FieldInfo& field : part.segment.fields().fields) {
    if (field.doc_values_generation != -1 && !updated.contains(field.number))
      throw CorruptIndex(
          part.name() + ": field '" + field.name + "' has doc values of generation " +
          std::to_string(field.doc_values_generation) + ", the commit has no files of them");
    if (field.doc_values_generation > commit.doc_values_gen)
      throw CorruptIndex(part.name() + ": field '" + field.name +
                         "' has doc values of generation " +
                         std::to_string(field.doc_values_generation) + ", the commit is at " +
                         std::to_string(commit.doc_values_gen));
  }
  std::vector<std::string> expected;
  if (commit.field_infos_gen != -1)
    expected.push_back(
        codec::generation_file(part.name(), static_cast<uint64_t>(commit.field_infos_gen), "fnm"));
  if (commit.field_infos_files != expected)
    throw CorruptIndex(part.name() +
                       ": the commit's files of field infos are not those of "
                       "generation " +
                       std::to_string(commit.field_infos_gen));
}

// A later generation lists the fields of the core again, changed in their doc values alone, and
// perhaps fields that only have doc values.
void check_generation_of_infos(const Part& part) {
  const FieldInfos& core = part.segment.core_fields();
  const FieldInfos& now = part.segment.fields();
  for (const FieldInfo& before : core.fields) {
    const FieldInfo* field = now.by_number(before.number);
    const bool same =
        field != nullptr && field->name == before.name &&
        field->index_options == before.index_options && field->omit_norms == before.omit_norms &&
        field->term_vectors == before.term_vectors && field->payloads == before.payloads &&
        field->point_dimensions == before.point_dimensions &&
        field->point_index_dimensions == before.point_index_dimensions &&
        field->point_bytes == before.point_bytes &&
        field->vector_dimension == before.vector_dimension &&
        (before.doc_values == DocValuesType::kNone || field->doc_values == before.doc_values) &&
        field->doc_values_skip_index == before.doc_values_skip_index;
    if (!same)
      throw CorruptIndex(part.name() + ": field '" + before.name +
                         "' is another one in the field infos of generation " +
                         std::to_string(part.segment.commit().field_infos_gen));
  }
  for (const FieldInfo& field : now.fields) {
    if (find_malformed_utf8(field.name) != kNoError)
      throw CorruptIndex(part.name() + ": the name of field " + std::to_string(field.number) +
                         " is not UTF-8");
  }
}

// Chunks hold a bounded number of documents: a segment of more documents than its chunks can have
// would cost time and memory that its bytes do not pay for.
void check_size(const Part& part) {
  codec::StoredFieldsReader& stored = part.segment.stored_fields();
  const uint64_t most =
      stored.chunk_count() *
      codec::stored_fields_format(StoredFieldsMode::kBestCompression).max_chunk_documents;
  if (part.segment.max_doc() > most)
    throw CorruptIndex(part.name() + ".fdm: " + std::to_string(stored.chunk_count()) +
                       " chunks of stored fields for " + std::to_string(part.segment.max_doc()) +
                       " documents");
}

}  // namespace

Counts check_field_infos(const Part& part) {
  part.guarded(kPart, [&] { check_files(part); });
  part.guarded(kPart, [&] { check_generations(part); });
  part.guarded(kPart, [&] { check_generation_of_infos(part); });
  return {{"fields", part.segment.fields().fields.size()}};
}

bool is_worth_reading(const Part& part) {
  return part.guarded("stored fields", [&] { check_size(part); });
}

}  // namespace postern::check
