// One segment while it is in memory: takes documents, then becomes files (docs/formats/01 §5-7).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/segment_commit.h"
#include "codec/segment_context.h"
#include "codec/stored_fields_writer.h"
#include "codec/term_vectors_writer.h"
#include "deletes/apply_changes.h"
#include "deletes/buffered_changes.h"
#include "index/arrival_files.h"
#include "index/document_order.h"
#include "index/field_schema.h"
#include "index/knn_flush.h"
#include "invert/doc_values_buffer.h"
#include "invert/field_inverter.h"
#include "invert/knn_buffer.h"
#include "invert/points_buffer.h"
#include "invert/vectors_consumer.h"
#include "postern/document.h"
#include "postern/writer.h"

namespace postern::index {

// A segment on disk, and what must still be done to it.
struct FlushedSegment {
  codec::SegmentCommitInfo segment;
  deletes::PendingChanges pending;
};

class DocumentBuffer {
 public:
  // Changes that `log` holds already do not concern the segment. `memory` is empty and serves this
  // buffer alone until it is destroyed; all references must outlive it. Creates the stored-fields
  // files, or temporary ones if the segment will be sorted.
  DocumentBuffer(Directory& directory, std::string segment, invert::BufferMemory& memory,
                 std::shared_ptr<GlobalFields> fields, std::shared_ptr<deletes::ChangeLog> log,
                 const WriterConfig& config);

  // Indexes one document; `ends_block`: the last of its block, or alone. Throws InvalidDocument or
  // LimitExceeded when the document is to blame: it then has a number all the same, is marked
  // deleted, and what was indexed before the error stays, as in Lucene. Any other exception leaves
  // the buffer unusable.
  void add(const Document& document, bool ends_block = true);
  // The documents from `first` on came as one block.
  void end_block(uint32_t first) { has_blocks_ |= documents_ - first > 1; }
  // Hides documents first .. documents() - 1, of a block in which one failed.
  void delete_from(uint32_t first);

  const std::string& segment() const { return context_.segment; }
  uint32_t documents() const { return documents_; }
  uint32_t deleted_documents() const { return static_cast<uint32_t>(deleted_.size()); }
  // Everything the buffer holds, for the RAM budget.
  uint64_t ram_bytes() const;

  // Deletes and updates of the log, and the documents of this segment that each may hit.
  deletes::BufferedChanges& changes() { return changes_; }

  // Writes the segment; nothing may be added afterwards. Deletes are applied, updates wait: what
  // the log holds from `changes_from` on is not seen here. A segment whose documents are all
  // deleted, softly or not, has no content: its files are removed and nullopt is returned.
  std::optional<FlushedSegment> flush(const deletes::Cursor& changes_from);
  // Removes whatever files of the segment exist; never throws.
  void abort() noexcept;

 private:
  // What the buffer knows of a field name. A document's values of the field must add up to the
  // field's schema (docs/formats/02 §8); checking is skipped while documents keep using one
  // definition that once agreed.
  struct Field {
    explicit Field(std::string_view n) : name(n) {}
    std::string name;
    int64_t info = -1;  // index into infos_, -1 before the first document with it
    // Null for aspects the field does not have.
    std::unique_ptr<invert::FieldInverter> inverter;
    std::unique_ptr<invert::DocValuesBuffer> doc_values;
    std::unique_ptr<invert::PointsBuffer> points;
    std::unique_ptr<invert::KnnBuffer> knn;
    bool reserved = false;                    // the parent field, which documents may not use
    const FieldDefinition* agreed = nullptr;  // alone, it equals the schema of infos_[info]
    // Of the current document:
    uint64_t document = 0;  // its number + 1
    const FieldDefinition* only =
        nullptr;  // the definition of all its values so far; null if there are several
    bool inverting = false;
    FieldSchema schema;  // set unless only == agreed
  };

  // Only for an index sort: what must wait for the order.
  struct Arrivals {
    Arrivals(const codec::SegmentContext& context, memory::MemoryCounter& counter)
        : stored(context, counter), vectors(context, counter) {}
    StoredArrivals stored;
    VectorArrivals vectors;
    uint64_t largest_column = 0;  // bytes of values of one field's doc values
  };

  Field& find_field(const FieldDefinition& definition);
  Field& field_of(size_t position, const FieldDefinition& definition);
  bool looks_like_last(const Document& document) const;
  void resolve_fields(const Document& document);
  void resolve_field(Field& field, const FieldDefinition& definition);
  void require_roles(const Field& field) const;
  void settle_field(Field& field);
  void make_buffers(Field& field, const codec::FieldInfo& info);
  void index_values(const Document& document);
  void add_doc_value(Field& field, const FieldValue& value);
  void invert(Field& field, const FieldValue& value);
  void finish_document();
  void store(const FieldValue& value, uint32_t number);
  std::vector<BufferedVectors> buffered_vectors(codec::FieldInfos& infos) const;
  invert::FieldInverter* inverter_of(std::string_view field);
  const invert::DocValuesBuffer* soft_deletes();
  uint32_t count_soft_deleted();
  deletes::PendingChanges pending_changes(const deletes::Cursor& from,
                                          std::span<const uint32_t> new_docs);
  void find_order(DocumentOrder& order);

  codec::SegmentContext context_;
  invert::BufferMemory& memory_;
  std::shared_ptr<GlobalFields> global_fields_;
  deletes::BufferedChanges changes_;
  const WriterConfig& config_;
  std::optional<codec::StoredFieldsWriter> stored_;  // from the flush on if arrivals_
  codec::TermVectorsWriter vector_files_;
  std::unique_ptr<Arrivals> arrivals_;
  codec::StoredValues* stored_values_;  // where values are stored now
  invert::VectorsConsumer vectors_;     // chained to the fields' inverters, so it outlives them

  std::deque<Field> fields_;  // addresses stay
  std::unordered_map<std::string_view, Field*> fields_by_name_;
  std::unordered_map<const FieldDefinition*, Field*> fields_by_definition_;
  std::deque<codec::FieldInfo> infos_;
  // The field of the value at each position of the last document: most documents look alike.
  struct Seen {
    const FieldDefinition* definition;
    Field* field;
  };
  std::vector<Seen> seen_;
  // Values of the last document that was resolved without error, the first of seen_; SIZE_MAX if
  // there is none or it was refused.
  size_t resolved_values_ = SIZE_MAX;
  bool resolved_with_parent_ = false;
  std::optional<FieldDefinition> parent_;  // unless none is configured
  Field* parent_field_ = nullptr;
  bool with_parent_ = false;  // the current document gets it

  std::vector<Field*> fields_of_document_;  // distinct, in order of first appearance
  std::string text_;                        // scratch
  std::vector<uint32_t> deleted_;           // ascending
  uint32_t documents_ = 0;
  bool has_blocks_ = false;
};

}  // namespace postern::index
