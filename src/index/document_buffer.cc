#include "index/document_buffer.h"

#include <algorithm>

#include "base/utf8.h"
#include "codec/file_names.h"
#include "codec/hnsw_builder.h"
#include "codec/index_sort_format.h"
#include "index/buffered_hits.h"
#include "index/field_order.h"
#include "index/segment_writer.h"
#include "postern/error.h"

namespace postern::index {
namespace {

// What a field costs beside its inverter's own arrays: the two tables' nodes, the info, the
// inverter itself.
constexpr uint64_t kBytesPerField = 512;

bool is_soft_deletes(const std::string& field, const WriterConfig& config) {
  return !config.soft_deletes_field.empty() && field == config.soft_deletes_field;
}

// Of values that are finished.
bool has_value(const invert::DocValuesBuffer& values, uint32_t doc) {
  return values.dense() ? doc < values.doc_count() : std::ranges::binary_search(values.docs(), doc);
}

FieldType parent_type() {
  FieldType type;
  type.doc_values = DocValuesType::kNumeric;
  return type;
}

}  // namespace

DocumentBuffer::DocumentBuffer(Directory& directory, std::string segment,
                               invert::BufferMemory& memory, std::shared_ptr<GlobalFields> fields,
                               std::shared_ptr<deletes::ChangeLog> log, const WriterConfig& config)
    : context_{directory, std::move(segment), store::new_object_id(), 0},
      memory_(memory),
      global_fields_(std::move(fields)),
      changes_(std::move(log)),
      config_(config),
      vector_files_(context_),
      vectors_(memory, config.limits) {
  if (config.index_sort.empty()) {
    stored_values_ = &stored_.emplace(context_, config.stored_fields);
  } else {
    arrivals_ = std::make_unique<Arrivals>(context_, memory.counter());
    stored_values_ = &arrivals_->stored;
  }
  if (!config.parent_field.empty()) {
    // The first name of the segment: that decides where its columns lie (field_order.h).
    parent_.emplace(config.parent_field, parent_type());
    parent_field_ = &find_field(*parent_);
  }
}

uint64_t DocumentBuffer::ram_bytes() const {
  uint64_t bytes = memory_.counter().bytes() + vector_files_.ram_bytes() +
                   fields_.size() * kBytesPerField + deleted_.capacity() * sizeof(uint32_t) +
                   changes_.ram_bytes();
  if (stored_) bytes += stored_->ram_bytes();
  if (arrivals_ != nullptr) {
    bytes += arrivals_->stored.ram_bytes() + arrivals_->vectors.ram_bytes() +
             sort_working_bytes(documents_) + arrivals_->largest_column;
  }
  return bytes;
}

void DocumentBuffer::add(const Document& document, bool ends_block) {
  with_parent_ = ends_block && parent_;
  if (arrivals_ != nullptr) {
    arrivals_->stored.start_document();
  } else {
    stored_->start_document();
  }
  vectors_.start_document(documents_);
  try {
    resolve_fields(document);
    index_values(document);
  } catch (const InvalidDocument&) {
    deleted_.push_back(documents_);
    finish_document();
    throw;
  } catch (const LimitExceeded&) {
    deleted_.push_back(documents_);
    finish_document();
    throw;
  }
  finish_document();
}

void DocumentBuffer::finish_document() {
  for (Field* field : fields_of_document_) {
    if (field->inverting) field->inverter->finish_document();
  }
  if (arrivals_ != nullptr) {
    arrivals_->stored.finish_document();
    vectors_.finish_document(arrivals_->vectors);
  } else {
    stored_->finish_document();
    vectors_.finish_document(vector_files_);
  }
  ++documents_;
}

DocumentBuffer::Field& DocumentBuffer::field_of(size_t position,
                                                const FieldDefinition& definition) {
  if (position == seen_.size()) seen_.push_back({nullptr, nullptr});
  Seen& seen = seen_[position];
  if (seen.definition != &definition) seen = {&definition, &find_field(definition)};
  return *seen.field;
}

DocumentBuffer::Field& DocumentBuffer::find_field(const FieldDefinition& definition) {
  Field*& known = fields_by_definition_[&definition];
  if (known == nullptr) {
    auto by_name = fields_by_name_.find(definition.name());
    if (by_name != fields_by_name_.end()) {
      known = by_name->second;
    } else {
      known = &fields_.emplace_back(definition.name());
      known->reserved = parent_ && parent_->name() == known->name;
      fields_by_name_.emplace(known->name, known);
    }
  }
  return *known;
}

// Whether the document has the definitions of the last one that was resolved, in the same order:
// then all that was found out about that one holds for this one.
bool DocumentBuffer::looks_like_last(const Document& document) const {
  const std::span<const FieldValue> values = document.values();
  if (values.size() != resolved_values_ || with_parent_ != resolved_with_parent_) return false;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].field != seen_[i].definition) return false;
  }
  return true;
}

// First all types, then name by name, so that a schema error comes before anything of the document
// is indexed.
void DocumentBuffer::resolve_fields(const Document& document) {
  for (Field* field : fields_of_document_) field->inverting = false;
  if (looks_like_last(document)) return;
  resolved_values_ = SIZE_MAX;
  fields_of_document_.clear();
  if (with_parent_) resolve_field(*parent_field_, *parent_);
  size_t position = 0;
  for (const FieldValue& value : document.values()) {
    Field& field = field_of(position++, *value.field);
    if (field.reserved) {
      throw InvalidDocument("field \"" + field.name + "\" of document " +
                            std::to_string(documents_) +
                            " of its segment: it is the index's parent field, which is reserved; "
                            "give the field another name");
    }
    resolve_field(field, *value.field);
  }
  for (Field* field : fields_of_document_) {
    if (field->only == nullptr || field->only != field->agreed) settle_field(*field);
  }
  resolved_values_ = position;
  resolved_with_parent_ = with_parent_;
}

void DocumentBuffer::resolve_field(Field& field, const FieldDefinition& definition) {
  if (field.document != documents_ + uint64_t{1}) {
    field.document = documents_ + uint64_t{1};
    field.only = &definition;
    fields_of_document_.push_back(&field);
    if (field.only != field.agreed) {
      check_type(field.name, definition.type());
      field.schema = FieldSchema::of(definition.type());
    }
  } else if (field.only != &definition) {
    check_type(field.name, definition.type());
    if (field.only != nullptr) field.schema = FieldSchema::of(field.only->type());
    field.only = nullptr;
    merge(field.schema, definition.type(), field.name, documents_);
  }
}

// What the index sort and the soft deletes ask of a field.
void DocumentBuffer::require_roles(const Field& field) const {
  for (const SortKey& key : config_.index_sort) {
    if (key.field == field.name && key.doc_values != field.schema.doc_values) {
      throw SchemaConflict(
          "field \"" + field.name + "\" of document " + std::to_string(documents_) +
          " of its segment: the index is sorted by it, so it needs " + name_of(key.doc_values) +
          " doc values; it has " + name_of(field.schema.doc_values));
    }
  }
  if (is_soft_deletes(field.name, config_) && field.schema.doc_values == DocValuesType::kBinary) {
    throw InvalidDocument("field \"" + field.name +
                          "\": the soft-deletes field cannot have binary doc values; Lucene does "
                          "not count them");
  }
}

void DocumentBuffer::settle_field(Field& field) {
  if (field.info >= 0) {
    require_same_in_segment(FieldSchema::of(infos_[static_cast<size_t>(field.info)]), field.schema,
                            field.name, documents_);
  } else {
    require_roles(field);
    check_vector_dimension(field.name, field.schema);
    uint32_t number = global_fields_->add(field.name, field.schema);
    infos_.push_back(field_info(field.name, number, field.schema));
    infos_.back().parent = field.reserved;
    infos_.back().soft_deletes = is_soft_deletes(field.name, config_);
    field.info = static_cast<int64_t>(infos_.size()) - 1;
    make_buffers(field, infos_.back());
  }
  if (field.only != nullptr) field.agreed = field.only;
}

void DocumentBuffer::make_buffers(Field& field, const codec::FieldInfo& info) {
  if (info.indexed()) {
    bool payloads = field.only != nullptr && field.only->analyzer() != nullptr &&
                    field.only->analyzer()->produces_payloads();
    field.inverter = std::make_unique<invert::FieldInverter>(
        memory_, config_.limits, field.name, info.index_options, info.has_norms(), payloads);
    if (info.term_vectors) vectors_.chain(*field.inverter, info.number);
  }
  if (info.doc_values != DocValuesType::kNone) {
    field.doc_values = std::make_unique<invert::DocValuesBuffer>(memory_, config_.limits,
                                                                 field.name, info.doc_values);
  }
  if (info.point_dimensions != 0) {
    field.points =
        std::make_unique<invert::PointsBuffer>(memory_.counter(), field.name, info.point_dimensions,
                                               info.point_index_dimensions, info.point_bytes);
  }
  if (info.vector_dimension != 0) {
    field.knn = std::make_unique<invert::KnnBuffer>(memory_.counter(), field.name,
                                                    codec::HnswBuilder::ram_bytes_per_vector());
  }
}

void DocumentBuffer::add_doc_value(Field& field, const FieldValue& value) {
  field.doc_values->add(documents_, value);
  if (arrivals_ != nullptr) {
    arrivals_->largest_column =
        std::max(arrivals_->largest_column, field.doc_values->column_bytes());
  }
}

void DocumentBuffer::index_values(const Document& document) {
  if (with_parent_) {
    add_doc_value(*parent_field_, {.field = &*parent_, .kind = ValueKind::kLong, .integer = -1});
  }
  size_t position = 0;
  for (const FieldValue& value : document.values()) {
    Field& field = *seen_[position++].field;
    const FieldType& type = value.field->type();
    if (type.indexed()) invert(field, value);
    if (type.stored) store(value, infos_[static_cast<size_t>(field.info)].number);
    if (type.doc_values != DocValuesType::kNone) add_doc_value(field, value);
    if (type.point_dimensions != 0) field.points->add(documents_, value);
    if (type.vector_dimension != 0) field.knn->add(documents_, value);
  }
}

void DocumentBuffer::invert(Field& field, const FieldValue& value) {
  if (!field.inverting) {
    field.inverting = true;
    field.inverter->start_document(documents_);
  }
  try {
    field.inverter->add(value);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {  // only an analyzer of the caller's throws anything else
    throw InvalidDocument("field \"" + field.name + "\" of document " + std::to_string(documents_) +
                          " of its segment: the analyzer failed: " + e.what());
  }
}

void DocumentBuffer::store(const FieldValue& value, uint32_t number) {
  switch (value.kind) {
    case ValueKind::kText:
    case ValueKind::kTokens: {
      std::string_view text = value.bytes;
      uint32_t limit = config_.limits.max_stored_string_units;
      if (text.size() > limit && utf16_length(text) > limit) {
        throw InvalidDocument(
            "field \"" + value.field->name() + "\" of document " + std::to_string(documents_) +
            " of its segment: the stored value has " + std::to_string(utf16_length(text)) +
            " UTF-16 units, the limit is " + std::to_string(limit));
      }
      if (has_surrogates(text)) {
        text_.clear();
        append_without_surrogates(text_, text);
        text = text_;
      }
      stored_values_->add_string(number, text);
      return;
    }
    case ValueKind::kBytes:
      stored_values_->add_bytes(number, value.bytes);
      return;
    case ValueKind::kInt:
      stored_values_->add_int(number, static_cast<int32_t>(value.integer));
      return;
    case ValueKind::kLong:
      stored_values_->add_long(number, value.integer);
      return;
    case ValueKind::kFloat:
      stored_values_->add_float(number, static_cast<float>(value.number));
      return;
    case ValueKind::kDouble:
      stored_values_->add_double(number, value.number);
      return;
    default:  // vectors are not stored
      return;
  }
}

void DocumentBuffer::delete_from(uint32_t first) {
  while (!deleted_.empty() && deleted_.back() >= first) deleted_.pop_back();
  for (uint32_t doc = first; doc < documents_; ++doc) deleted_.push_back(doc);
}

invert::FieldInverter* DocumentBuffer::inverter_of(std::string_view field) {
  const auto known = fields_by_name_.find(field);
  return known == fields_by_name_.end() ? nullptr : known->second->inverter.get();
}

// The values of the soft-deletes field; null if there are none.
const invert::DocValuesBuffer* DocumentBuffer::soft_deletes() {
  const auto known = fields_by_name_.find(config_.soft_deletes_field);
  if (config_.soft_deletes_field.empty() || known == fields_by_name_.end() ||
      known->second->doc_values == nullptr)
    return nullptr;
  known->second->doc_values->finish();
  return known->second->doc_values.get();
}

// Documents that have a value in the soft-deletes field and are not deleted otherwise.
uint32_t DocumentBuffer::count_soft_deleted() {
  const invert::DocValuesBuffer* values = soft_deletes();
  if (values == nullptr) return 0;
  uint32_t count = values->doc_count();
  for (uint32_t doc : deleted_) count -= has_value(*values, doc) ? 1 : 0;
  return count;
}

// As on disk, updates pass over deleted documents, softly or not.
deletes::PendingChanges DocumentBuffer::pending_changes(const deletes::Cursor& from,
                                                        std::span<const uint32_t> new_docs) {
  deletes::PendingChanges pending{.from = from};
  if (!changes_.any()) return pending;
  const invert::DocValuesBuffer* soft = soft_deletes();
  find_updated(
      changes_, [&](std::string_view field) { return inverter_of(field); },
      [&](uint32_t doc, const deletes::Change& change) {
        if (std::ranges::binary_search(deleted_, doc)) return;
        if (soft != nullptr && has_value(*soft, doc)) return;
        pending.updates.add(new_docs.empty() ? doc : new_docs[doc], change);
      });
  if (!pending.updates.empty()) pending.updates_from = changes_.start();
  return pending;
}

void DocumentBuffer::find_order(DocumentOrder& order) {
  auto values_of = [&](std::string_view name) -> const invert::DocValuesBuffer* {
    const auto field = fields_by_name_.find(name);
    if (field == fields_by_name_.end() || field->second->doc_values == nullptr) return nullptr;
    field->second->doc_values->finish();
    return field->second->doc_values.get();
  };
  std::vector<DocumentOrder::Key> keys;
  for (const SortKey& key : config_.index_sort) keys.push_back({key, values_of(key.field)});
  // As in Lucene, blocks are kept together only once the segment has one.
  order.sort(keys, parent_ && has_blocks_ ? values_of(parent_->name()) : nullptr, documents_);
}

// In the order in which the infos came into being.
std::vector<BufferedVectors> DocumentBuffer::buffered_vectors(codec::FieldInfos& infos) const {
  std::vector<BufferedVectors> vectors;
  for (const codec::FieldInfo& info : infos_) {
    if (info.vector_dimension == 0) continue;
    auto at = std::ranges::lower_bound(infos.fields, info.number, {}, &codec::FieldInfo::number);
    vectors.push_back({&*at, fields_by_name_.at(info.name)->knn.get()});
  }
  return vectors;
}

std::optional<FlushedSegment> DocumentBuffer::flush(const deletes::Cursor& changes_from) {
  if (changes_.any()) {
    find_deleted(
        changes_, [&](std::string_view field) { return inverter_of(field); }, documents_, deleted_);
  }
  const uint32_t soft_deleted = count_soft_deleted();
  if (deleted_.size() + soft_deleted == documents_) {
    abort();
    return std::nullopt;
  }
  context_.max_doc = documents_;
  codec::FieldInfos infos;
  infos.fields.assign(infos_.begin(), infos_.end());
  std::ranges::sort(infos.fields, {}, &codec::FieldInfo::number);
  // As Lucene's field table has them: the order of columns in their files.
  std::vector<BufferedField> fields;
  std::vector<std::string_view> names;
  for (const Field& field : fields_) names.push_back(field.name);
  for (uint32_t i : bucket_order(names)) {
    const Field& field = fields_[i];
    if (field.info < 0) continue;
    uint32_t number = infos_[static_cast<size_t>(field.info)].number;
    auto info = std::ranges::lower_bound(infos.fields, number, {}, &codec::FieldInfo::number);
    if (field.inverter != nullptr) info->payloads = field.inverter->has_payloads();
    fields.push_back({&*info, field.inverter.get(), field.doc_values.get(), field.points.get()});
  }
  DocumentOrder order(memory_.counter());
  if (arrivals_ != nullptr) {
    find_order(order);
    stored_.emplace(context_, config_.stored_fields);
  }
  const std::span<const uint32_t> new_docs = order.new_docs();
  deletes::PendingChanges pending = pending_changes(changes_from, new_docs);
  std::vector<std::string> files = stored_->files();
  write_vectors(context_, buffered_vectors(infos), files, new_docs);
  write_norms(context_, infos, fields, new_docs, files);
  write_columns(context_, infos, fields, new_docs, files);
  if (arrivals_ != nullptr) {
    arrivals_->stored.write(order.old_docs(), *stored_);
    arrivals_->vectors.write(order.old_docs(), vector_files_);
  }
  stored_->finish(documents_);
  vector_files_.finish(documents_);
  std::ranges::move(vector_files_.files(), std::back_inserter(files));
  write_postings(context_, infos, fields, new_docs, memory_.counter(), files);
  files.push_back(
      codec::write_field_infos(context_.directory, context_.segment, context_.id, "", infos));
  if (order.moves_documents()) {
    for (uint32_t& doc : deleted_) doc = new_docs[doc];
    std::ranges::sort(deleted_);
  }
  SegmentFacts facts{
      config_.use_compound_file, has_blocks_, config_.stored_fields, soft_deleted, {}};
  for (const SortKey& key : config_.index_sort)
    facts.index_sort.push_back(codec::encode_sort_key(key));
  return FlushedSegment{finish_segment(context_, facts, std::move(files), deleted_),
                        std::move(pending)};
}

void DocumentBuffer::abort() noexcept {
  try {
    for (const std::string& name : context_.directory.list()) {
      if (codec::segment_of_file(name) == context_.segment) context_.directory.remove(name);
    }
  } catch (const std::exception&) {
    // What is left is not referenced by any commit; the next writer that opens the index removes
    // it.
  }
}

}  // namespace postern::index
