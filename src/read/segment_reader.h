// One segment of a commit, opened for reading: which files hold which part of it (docs/formats/11),
// and the reader of each part.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/compound.h"
#include "codec/doc_values_reader.h"
#include "codec/field_infos.h"
#include "codec/hnsw_reader.h"
#include "codec/live_docs.h"
#include "codec/norms_reader.h"
#include "codec/points_reader.h"
#include "codec/postings_reader.h"
#include "codec/segment_commit.h"
#include "codec/stored_fields_reader.h"
#include "codec/term_vectors_reader.h"
#include "codec/terms_reader.h"
#include "codec/vector_reader.h"

namespace postern::read {

// Whether the segment's files lie loose or in a compound file, whether field infos and doc values
// are those of its core or of a later generation: all the same to the caller. One thread at a time;
// several SegmentReaders of one segment may be used at once. Everything throws CorruptIndex naming
// the file, NotSupported for formats of other codecs, IoError.
class SegmentReader {
 public:
  // Reads field infos and live docs; every other part is opened when it is first asked for.
  // `directory` and `commit` must outlive the reader.
  SegmentReader(const Directory& directory, const codec::SegmentCommitInfo& commit);

  const codec::SegmentCommitInfo& commit() const { return commit_; }
  const std::string& name() const { return commit_.info.name; }
  uint32_t max_doc() const { return commit_.info.max_doc; }

  // Where the files of the core are: the directory, or the compound file in it.
  const Directory& core() const { return compound_ ? *compound_ : directory_; }
  // Null unless the core is a compound file.
  const codec::CompoundReader* compound() const { return compound_.get(); }

  // Of the newest generation: the fields with their current doc values generations.
  const codec::FieldInfos& fields() const { return fields_ ? *fields_ : core_fields_; }
  // As the core was written; all parts but doc values go by these.
  const codec::FieldInfos& core_fields() const { return core_fields_; }

  // Bits as in codec/live_docs.h; empty when no document is deleted.
  std::span<const uint64_t> live_docs() const { return live_; }
  bool is_live(uint32_t doc) const { return live_.empty() || codec::is_live(live_, doc); }

  // Null when the segment has no term at all.
  const codec::TermsReader* terms();
  const codec::PostingsReader* postings();
  codec::StoredFieldsReader& stored_fields();
  // Null when no field of the segment has term vectors, norms, points.
  codec::TermVectorsReader* term_vectors();
  const codec::NormsReader* norms();
  const codec::PointsReader* points();
  // Null when the segment has no KNN vectors. A field with a dimension but no format has none.
  const codec::VectorReader* knn_vectors();
  const codec::HnswReader* knn_graphs();
  // Of the files that hold the values of `field`, one of fields(), now. Null if it has none.
  const codec::DocValuesReader* doc_values(const codec::FieldInfo& field);

 private:
  // The fields of the core, those without vectors in the known format without a dimension.
  codec::FieldInfos knn_fields() const;
  void require_known_formats(const codec::FieldInfos& infos) const;
  void require_known_format(const codec::FieldInfo& field, const char* format_key,
                            const char* format, const char* suffix_key, const char* suffix,
                            const char* what) const;

  const Directory& directory_;
  const codec::SegmentCommitInfo& commit_;
  std::unique_ptr<codec::CompoundReader> compound_;
  codec::FieldInfos core_fields_;
  std::optional<codec::FieldInfos> fields_;  // of a later generation
  std::vector<uint64_t> live_;
  std::unique_ptr<codec::TermsReader> terms_;
  std::unique_ptr<codec::PostingsReader> postings_;
  std::unique_ptr<codec::StoredFieldsReader> stored_fields_;
  std::unique_ptr<codec::TermVectorsReader> term_vectors_;
  std::unique_ptr<codec::NormsReader> norms_;
  std::unique_ptr<codec::PointsReader> points_;
  std::unique_ptr<codec::VectorReader> knn_vectors_;
  std::unique_ptr<codec::HnswReader> knn_graphs_;
  std::map<int64_t, std::unique_ptr<codec::DocValuesReader>> doc_values_;  // by generation
};

}  // namespace postern::read
