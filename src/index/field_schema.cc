#include "index/field_schema.h"

#include <algorithm>

#include "codec/vector_format.h"
#include "postern/error.h"

namespace postern::index {
namespace {

const char* name_of(IndexOptions v) {
  static constexpr const char* kNames[] = {"NONE", "DOCS", "DOCS_AND_FREQS",
                                           "DOCS_AND_FREQS_AND_POSITIONS",
                                           "DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS"};
  return kNames[static_cast<size_t>(v)];
}
const char* name_of(VectorEncoding v) { return v == VectorEncoding::kByte ? "BYTE" : "FLOAT32"; }
const char* name_of(VectorSimilarity v) {
  static constexpr const char* kNames[] = {"EUCLIDEAN", "DOT_PRODUCT", "COSINE",
                                           "MAXIMUM_INNER_PRODUCT"};
  return kNames[static_cast<size_t>(v)];
}
const char* name_of(bool v) { return v ? "true" : "false"; }
std::string name_of(uint32_t v) { return std::to_string(v); }

// Calls `differ(property, a's value, b's value)` for the first property in which the two differ.
template <class Differ>
void compare(const FieldSchema& a, const FieldSchema& b, Differ&& differ) {
  auto check = [&](const char* property, auto x, auto y) {
    if (x == y) return false;
    differ(property, std::string(name_of(x)), std::string(name_of(y)));
    return true;
  };
  if (check("index options", a.index_options, b.index_options)) return;
  if (a.index_options != IndexOptions::kNone) {
    if (check("omit norms", a.omit_norms, b.omit_norms)) return;
    if (check("store term vector", a.term_vectors, b.term_vectors)) return;
  }
  if (check("doc values type", a.doc_values, b.doc_values)) return;
  if (check("doc values skip index", a.doc_values_skip_index, b.doc_values_skip_index)) return;
  if (check("vector similarity", a.vector_similarity, b.vector_similarity)) return;
  if (check("vector encoding", a.vector_encoding, b.vector_encoding)) return;
  if (check("vector dimension", a.vector_dimension, b.vector_dimension)) return;
  if (check("point dimension", a.point_dimensions, b.point_dimensions)) return;
  if (check("point index dimension", a.point_index_dimensions, b.point_index_dimensions)) return;
  check("point bytes", a.point_bytes, b.point_bytes);
}

void require_same(const FieldSchema& expected, const FieldSchema& got, const std::string& field,
                  uint32_t doc) {
  compare(expected, got, [&](const char* property, const std::string& x, const std::string& y) {
    throw SchemaConflict("field \"" + field + "\" of document " + std::to_string(doc) +
                         " of its segment: inconsistent field data structures: " + property +
                         ": expected '" + x + "', but it has '" + y + "'");
  });
}

}  // namespace

FieldSchema FieldSchema::of(const FieldType& type) {
  FieldSchema s;
  s.index_options = type.index_options;
  if (type.indexed()) {
    s.omit_norms = type.omit_norms;
    s.term_vectors = type.term_vectors.enabled;
  }
  s.doc_values = type.doc_values;
  s.doc_values_skip_index = type.doc_values_skip_index;
  s.point_dimensions = type.point_dimensions;
  s.point_index_dimensions = type.point_index_dimensions;
  s.point_bytes = type.point_bytes;
  s.vector_dimension = type.vector_dimension;
  s.vector_encoding = type.vector_encoding;
  s.vector_similarity = type.vector_similarity;
  return s;
}

FieldSchema FieldSchema::of(const codec::FieldInfo& info) {
  FieldSchema s;
  s.index_options = info.index_options;
  if (info.indexed()) {
    s.omit_norms = info.omit_norms;
    s.term_vectors = info.term_vectors;
  }
  s.doc_values = info.doc_values;
  s.doc_values_skip_index = info.doc_values_skip_index;
  s.point_dimensions = info.point_dimensions;
  s.point_index_dimensions = info.point_index_dimensions;
  s.point_bytes = info.point_bytes;
  s.vector_dimension = info.vector_dimension;
  s.vector_encoding = info.vector_encoding;
  s.vector_similarity = info.vector_similarity;
  return s;
}

codec::FieldInfo field_info(const std::string& name, uint32_t number, const FieldSchema& schema) {
  codec::FieldInfo info;
  info.name = name;
  info.number = number;
  info.index_options = schema.index_options;
  info.omit_norms = schema.omit_norms;
  info.term_vectors = schema.term_vectors;
  info.doc_values = schema.doc_values;
  info.doc_values_skip_index = schema.doc_values_skip_index;
  info.point_dimensions = schema.point_dimensions;
  info.point_index_dimensions = schema.point_index_dimensions;
  info.point_bytes = schema.point_bytes;
  info.vector_dimension = schema.vector_dimension;
  info.vector_encoding = schema.vector_encoding;
  info.vector_similarity = schema.vector_similarity;
  return info;
}

void check_type(const std::string& field, const FieldType& type) {
  const TermVectors& v = type.term_vectors;
  if (!type.indexed() && (v.enabled || v.positions || v.offsets || v.payloads)) {
    throw InvalidDocument("field \"" + field + "\": term vectors need a field that is indexed");
  }
  if (type.doc_values_skip_index &&
      (type.doc_values == DocValuesType::kNone || type.doc_values == DocValuesType::kBinary)) {
    throw InvalidDocument("field \"" + field +
                          "\": a doc values skip index needs numeric, sorted, sorted_set or " +
                          "sorted_numeric doc values");
  }
  if (type.vector_dimension != 0 &&
      (type.indexed() || type.stored || type.doc_values != DocValuesType::kNone ||
       type.point_dimensions != 0)) {
    throw InvalidDocument(
        "field \"" + field +
        "\": a vector is not indexed, stored or a doc value; give other values a " +
        "definition of their own");
  }
  uint32_t dims = type.point_dimensions;
  if (dims > 16 || type.point_index_dimensions > std::min(dims, 8u) || type.point_bytes > 16 ||
      (dims != 0) != (type.point_index_dimensions != 0) || (dims != 0) != (type.point_bytes != 0)) {
    throw InvalidDocument("field \"" + field +
                          "\": points have 1 to 16 dimensions, 1 to 8 of them " +
                          "indexed, of 1 to 16 bytes each, not " + std::to_string(dims) + ", " +
                          std::to_string(type.point_index_dimensions) + " of " +
                          std::to_string(type.point_bytes) + " bytes");
  }
}

void check_vector_dimension(const std::string& field, const FieldSchema& schema) {
  if (schema.vector_dimension <= codec::kMaxVectorDimension) return;
  throw InvalidDocument("field \"" + field + "\": vectors of " +
                        std::to_string(schema.vector_dimension) + " dimensions, the limit is " +
                        std::to_string(codec::kMaxVectorDimension));
}

void merge(FieldSchema& schema, const FieldType& type, const std::string& field, uint32_t doc) {
  FieldSchema other = FieldSchema::of(type);
  // An aspect that one side lacks takes the other's; what both have must agree.
  FieldSchema expected = schema;
  auto take_missing = [](FieldSchema& to, const FieldSchema& from) {
    if (to.index_options == IndexOptions::kNone) {
      to.index_options = from.index_options;
      to.omit_norms = from.omit_norms;
      to.term_vectors = from.term_vectors;
    }
    if (to.doc_values == DocValuesType::kNone) {
      to.doc_values = from.doc_values;
      to.doc_values_skip_index = from.doc_values_skip_index;
    }
    if (to.point_dimensions == 0) {
      to.point_dimensions = from.point_dimensions;
      to.point_index_dimensions = from.point_index_dimensions;
      to.point_bytes = from.point_bytes;
    }
    if (to.vector_dimension == 0) {
      to.vector_dimension = from.vector_dimension;
      to.vector_encoding = from.vector_encoding;
      to.vector_similarity = from.vector_similarity;
    }
  };
  take_missing(expected, other);
  take_missing(other, schema);
  require_same(expected, other, field, doc);
  schema = expected;
}

void require_same_in_segment(const FieldSchema& segment, const FieldSchema& document,
                             const std::string& field, uint32_t doc) {
  require_same(segment, document, field, doc);
}

GlobalFields::GlobalFields(std::string parent_field, std::string soft_deletes_field)
    : parent_field_(std::move(parent_field)), soft_deletes_field_(std::move(soft_deletes_field)) {
  if (!parent_field_.empty() && parent_field_ == soft_deletes_field_)
    throw InvalidArgument("the parent field and the soft-deletes field cannot both be \"" +
                          parent_field_ + "\"");
}

// As Lucene's writer does when it opens an index, and with the same outcomes.
void GlobalFields::check_roles(const codec::FieldInfos& infos, const std::string& segment) const {
  auto check = [&](const char* role, const std::string& configured, bool codec::FieldInfo::*has) {
    for (const codec::FieldInfo& info : infos.fields) {
      const bool asked = !configured.empty() && info.name == configured;
      if (info.*has == asked) continue;
      throw InvalidArgument("segment " + segment + ": \"" + info.name + "\" is " +
                            (asked ? "an ordinary field" : std::string("the ") + role + " field") +
                            " of this index; the writer is opened with " +
                            (configured.empty()
                                 ? std::string("no ") + role + " field"
                                 : std::string("the ") + role + " field \"" + configured + "\""));
    }
  };
  check("soft-deletes", soft_deletes_field_, &codec::FieldInfo::soft_deletes);
  check("parent", parent_field_, &codec::FieldInfo::parent);
  if (!parent_field_.empty() && infos.by_name(parent_field_) == nullptr)
    throw InvalidArgument("segment " + segment + ": its documents have no parent field, so \"" +
                          parent_field_ + "\" cannot become the parent field of this index");
}

void GlobalFields::load(const codec::FieldInfos& infos, const std::string& segment) {
  check_roles(infos, segment);
  for (const codec::FieldInfo& info : infos.fields) {
    const auto known = fields_.find(info.name);
    if (known == fields_.end()) {
      if (names_.contains(info.number)) {
        add_new(info.name, FieldSchema::of(info));
      } else {
        fields_.emplace(info.name, Entry{info.number, FieldSchema::of(info)});
        names_.emplace(info.number, info.name);
      }
      continue;
    }
    compare(known->second.schema, FieldSchema::of(info),
            [&](const char* property, const std::string& x, const std::string& y) {
              throw CorruptIndex("segment " + segment + ": field \"" + info.name + "\" has " +
                                 property + " " + y + ", in an earlier segment it has " + x);
            });
  }
}

uint32_t GlobalFields::add(const std::string& field, const FieldSchema& schema) {
  std::lock_guard lock(mutex_);
  auto known = fields_.find(field);
  if (known != fields_.end()) {
    compare(known->second.schema, schema,
            [&](const char* property, const std::string& x, const std::string& y) {
              throw SchemaConflict("cannot change field \"" + field + "\" from " + property + "=" +
                                   x + " to inconsistent " + property + "=" + y);
            });
    return known->second.number;
  }
  return add_new(field, schema);
}

uint32_t GlobalFields::add_new(const std::string& field, const FieldSchema& schema) {
  while (names_.contains(lowest_free_)) ++lowest_free_;
  uint32_t number = lowest_free_;
  fields_.emplace(field, Entry{number, schema});
  names_.emplace(number, field);
  return number;
}

deletes::Target GlobalFields::target(std::string_view field, DocValuesType type) {
  FieldSchema wanted;
  wanted.doc_values = type;
  deletes::Target target{std::string(field), 0, type, field == soft_deletes_field_};
  if (target.soft_deletes && type == DocValuesType::kBinary) {
    throw InvalidArgument("field \"" + target.name +
                          "\": the soft-deletes field cannot have binary doc values; Lucene does "
                          "not count them");
  }
  std::lock_guard lock(mutex_);
  const auto known = fields_.find(field);
  if (known == fields_.end()) {
    target.number = add_new(target.name, wanted);
    return target;
  }
  target.number = known->second.number;
  compare(wanted, known->second.schema,
          [&](const char* property, const std::string& x, const std::string& y) {
            throw InvalidArgument("field \"" + target.name +
                                  "\": only fields that have nothing but doc values of one kind "
                                  "can be updated; " +
                                  property + " must be " + x + ", but is " + y);
          });
  return target;
}

}  // namespace postern::index
