#include "read/segment_reader.h"

#include <algorithm>

#include "codec/file_names.h"
#include "codec/postings_format.h"
#include "codec/vector_format.h"

namespace postern::read {
namespace {

using codec::FieldInfo;

std::string generation_text(int64_t generation) {
  return codec::to_base36(static_cast<uint64_t>(generation));
}

const std::string* attribute(const FieldInfo& field, const char* key) {
  const auto at = std::ranges::find(field.attributes, key, [](const auto& a) { return a.first; });
  return at == field.attributes.end() ? nullptr : &at->second;
}

bool has_knn_vectors(const codec::FieldInfos& infos) {
  return std::ranges::any_of(infos.fields,
                             [](const FieldInfo& field) { return field.vector_dimension != 0; });
}

}  // namespace

SegmentReader::SegmentReader(const Directory& directory, const codec::SegmentCommitInfo& commit)
    : directory_(directory), commit_(commit) {
  const codec::SegmentInfo& info = commit.info;
  if (info.compound)
    compound_ = std::make_unique<codec::CompoundReader>(directory, info.name, info.id);
  core_fields_ = codec::read_field_infos(core(), info.name, info.id, "");
  if (commit.field_infos_gen >= 0)
    fields_ = codec::read_field_infos(directory, info.name, info.id,
                                      generation_text(commit.field_infos_gen));
  require_known_formats(core_fields_);
  if (fields_) require_known_formats(*fields_);
  if (commit.del_gen >= 0)
    live_ =
        codec::read_live_docs(directory, info.name, info.id, static_cast<uint64_t>(commit.del_gen),
                              info.max_doc, commit.del_count);
}

void SegmentReader::require_known_format(const FieldInfo& field, const char* format_key,
                                         const char* format, const char* suffix_key,
                                         const char* suffix, const char* what) const {
  const std::string* its_format = attribute(field, format_key);
  const std::string* its_suffix = attribute(field, suffix_key);
  if (its_format == nullptr && its_suffix == nullptr) return;
  if (its_format != nullptr && *its_format == format && its_suffix != nullptr &&
      *its_suffix == suffix)
    return;
  throw NotSupported("segment " + name() + ": field '" + field.name + "' has its " + what +
                     " in the format '" + (its_format != nullptr ? *its_format : "") +
                     "' with the suffix '" + (its_suffix != nullptr ? *its_suffix : "") +
                     "'; postern reads '" + format + "' with '" + suffix + "'");
}

void SegmentReader::require_known_formats(const codec::FieldInfos& infos) const {
  for (const FieldInfo& field : infos.fields) {
    require_known_format(field, codec::kPostingsFormatKey, codec::kPostingsFormatName,
                         codec::kPostingsSuffixKey, "0", "postings");
    require_known_format(field, codec::kDocValuesFormatKey, codec::kDocValuesFormatName,
                         codec::kDocValuesSuffixKey, codec::kDocValuesSuffixValue, "doc values");
  }
}

const codec::TermsReader* SegmentReader::terms() {
  if (!terms_ && codec::has_postings_files(core_fields_))
    terms_ = std::make_unique<codec::TermsReader>(core(), name(), commit_.info.id, core_fields_,
                                                  max_doc());
  return terms_.get();
}

const codec::PostingsReader* SegmentReader::postings() {
  if (!postings_ && codec::has_postings_files(core_fields_))
    postings_ = std::make_unique<codec::PostingsReader>(core(), name(), commit_.info.id,
                                                        core_fields_, max_doc());
  return postings_.get();
}

codec::StoredFieldsReader& SegmentReader::stored_fields() {
  if (!stored_fields_) {
    const std::string* mode = commit_.info.attribute(codec::kStoredFieldsModeKey);
    stored_fields_ = std::make_unique<codec::StoredFieldsReader>(
        core(), name(), commit_.info.id,
        codec::stored_fields_mode(mode != nullptr ? *mode : "", name() + ".si"), max_doc());
  }
  return *stored_fields_;
}

codec::TermVectorsReader* SegmentReader::term_vectors() {
  if (!term_vectors_ && std::ranges::any_of(core_fields_.fields, &FieldInfo::term_vectors))
    term_vectors_ =
        std::make_unique<codec::TermVectorsReader>(core(), name(), commit_.info.id, max_doc());
  return term_vectors_.get();
}

const codec::NormsReader* SegmentReader::norms() {
  if (!norms_ && core_fields_.any_norms())
    norms_ = std::make_unique<codec::NormsReader>(core(), name(), commit_.info.id, max_doc());
  return norms_.get();
}

const codec::PointsReader* SegmentReader::points() {
  if (!points_ && std::ranges::any_of(core_fields_.fields,
                                      [](const FieldInfo& f) { return f.point_dimensions != 0; }))
    points_ = std::make_unique<codec::PointsReader>(core(), name(), commit_.info.id, max_doc());
  return points_.get();
}

codec::FieldInfos SegmentReader::knn_fields() const {
  codec::FieldInfos infos = core_fields_;
  for (FieldInfo& field : infos.fields) {
    require_known_format(field, codec::kVectorFormatKey, codec::kVectorFormatName,
                         codec::kVectorSuffixKey, codec::kVectorSuffixValue, "KNN vectors");
    if (attribute(field, codec::kVectorFormatKey) == nullptr) field.vector_dimension = 0;
  }
  return infos;
}

const codec::VectorReader* SegmentReader::knn_vectors() {
  if (!knn_vectors_) {
    const codec::FieldInfos infos = knn_fields();
    if (has_knn_vectors(infos))
      knn_vectors_ =
          std::make_unique<codec::VectorReader>(core(), name(), commit_.info.id, infos, max_doc());
  }
  return knn_vectors_.get();
}

const codec::HnswReader* SegmentReader::knn_graphs() {
  if (!knn_graphs_) {
    const codec::FieldInfos infos = knn_fields();
    if (has_knn_vectors(infos))
      knn_graphs_ =
          std::make_unique<codec::HnswReader>(core(), name(), commit_.info.id, infos, max_doc());
  }
  return knn_graphs_.get();
}

const codec::DocValuesReader* SegmentReader::doc_values(const FieldInfo& field) {
  if (field.doc_values == DocValuesType::kNone) return nullptr;
  const int64_t generation = field.doc_values_generation;
  std::unique_ptr<codec::DocValuesReader>& reader = doc_values_[generation];
  if (!reader) {
    const bool of_core = generation == -1;
    const std::string suffix =
        (of_core ? "" : generation_text(generation) + "_") + codec::kDocValuesSuffix;
    reader = std::make_unique<codec::DocValuesReader>(
        of_core ? core() : directory_, name(), commit_.info.id, of_core ? core_fields_ : fields(),
        max_doc(), suffix);
  }
  return reader.get();
}

}  // namespace postern::read
