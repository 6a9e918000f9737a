#include "index/document_buffer.h"

#include <algorithm>

#include "base/utf8.h"
#include "codec/file_names.h"
#include "index/field_order.h"
#include "index/segment_writer.h"
#include "postern/error.h"

namespace postern::index {
namespace {

// What a field costs beside its inverter's own arrays: the two tables' nodes, the info, the
// inverter itself.
constexpr uint64_t kBytesPerField = 512;

}  // namespace

DocumentBuffer::DocumentBuffer(Directory& directory, std::string segment,
                               invert::BufferMemory& memory, GlobalFields& fields,
                               const WriterConfig& config)
    : context_{directory, std::move(segment), store::new_object_id(), 0},
      memory_(memory),
      global_fields_(fields),
      config_(config),
      stored_(context_, config.stored_fields),
      vector_files_(context_),
      vectors_(memory, config.limits) {}

uint64_t DocumentBuffer::ram_bytes() const {
  return memory_.counter().bytes() + stored_.ram_bytes() + vector_files_.ram_bytes() +
         fields_.size() * kBytesPerField + deleted_.capacity() * sizeof(uint32_t);
}

void DocumentBuffer::add(const Document& document) {
  stored_.start_document();
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
  stored_.finish_document();
  vectors_.finish_document(vector_files_);
  ++documents_;
}

DocumentBuffer::Field& DocumentBuffer::field_of(size_t position,
                                                const FieldDefinition& definition) {
  if (position == seen_.size()) seen_.push_back({nullptr, nullptr});
  Seen& seen = seen_[position];
  if (seen.definition == &definition) return *seen.field;
  Field*& known = fields_by_definition_[&definition];
  if (known == nullptr) {
    auto by_name = fields_by_name_.find(definition.name());
    if (by_name != fields_by_name_.end()) {
      known = by_name->second;
    } else {
      known = &fields_.emplace_back(definition.name());
      fields_by_name_.emplace(known->name, known);
    }
  }
  seen = {&definition, known};
  return *known;
}

// First all types, then name by name, so that a schema error comes before anything of the document
// is indexed.
void DocumentBuffer::resolve_fields(const Document& document) {
  for (Field* field : fields_of_document_) field->inverting = false;
  fields_of_document_.clear();
  size_t position = 0;
  for (const FieldValue& value : document.values()) {
    const FieldDefinition& definition = *value.field;
    Field& field = field_of(position++, definition);
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
  for (Field* field : fields_of_document_) {
    if (field->only == nullptr || field->only != field->agreed) settle_field(*field);
  }
}

void DocumentBuffer::settle_field(Field& field) {
  if (field.info >= 0) {
    require_same_in_segment(FieldSchema::of(infos_[static_cast<size_t>(field.info)]), field.schema,
                            field.name, documents_);
  } else {
    uint32_t number = global_fields_.add(field.name, field.schema);
    infos_.push_back(field_info(field.name, number, field.schema));
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
}

void DocumentBuffer::index_values(const Document& document) {
  size_t position = 0;
  for (const FieldValue& value : document.values()) {
    Field& field = *seen_[position++].field;
    const FieldType& type = value.field->type();
    if (type.indexed()) invert(field, value);
    if (type.stored) store(value, infos_[static_cast<size_t>(field.info)].number);
    if (type.doc_values != DocValuesType::kNone) field.doc_values->add(documents_, value);
    if (type.point_dimensions != 0) field.points->add(documents_, value);
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
      stored_.add_string(number, text);
      return;
    }
    case ValueKind::kBytes:
      stored_.add_bytes(number, value.bytes);
      return;
    case ValueKind::kInt:
      stored_.add_int(number, static_cast<int32_t>(value.integer));
      return;
    case ValueKind::kLong:
      stored_.add_long(number, value.integer);
      return;
    case ValueKind::kFloat:
      stored_.add_float(number, static_cast<float>(value.number));
      return;
    case ValueKind::kDouble:
      stored_.add_double(number, value.number);
      return;
  }
}

void DocumentBuffer::delete_from(uint32_t first) {
  while (!deleted_.empty() && deleted_.back() >= first) deleted_.pop_back();
  for (uint32_t doc = first; doc < documents_; ++doc) deleted_.push_back(doc);
}

std::optional<codec::SegmentCommitInfo> DocumentBuffer::flush() {
  if (deleted_.size() == documents_) {
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
  std::vector<std::string> files = stored_.files();
  write_norms(context_, infos, fields, files);
  write_columns(context_, infos, fields, files);
  stored_.finish(documents_);
  vector_files_.finish(documents_);
  std::ranges::move(vector_files_.files(), std::back_inserter(files));
  write_postings(context_, infos, fields, files);
  files.push_back(
      codec::write_field_infos(context_.directory, context_.segment, context_.id, "", infos));
  return finish_segment(context_, config_.use_compound_file, has_blocks_, config_.stored_fields,
                        std::move(files), deleted_);
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
