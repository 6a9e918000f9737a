#include "opensearch/field_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/utf8.h"
#include "codec/java_hash_order.h"
#include "index/field_order.h"
#include "input/errors.h"
#include "input/text_values.h"
#include "opensearch/field_builder.h"
#include "opensearch/geo_value.h"
#include "opensearch/ip_address.h"
#include "postern/error.h"
#include "postern/limits.h"

namespace postern::opensearch {

namespace {

[[noreturn]] void refuse(const FieldMapper& field, std::string_view text, std::string_view why) {
  throw InvalidDocument(fmt::format("{}: value {}: {}", describe_field(field.path, field.type),
                                    input::quoted(text), why));
}

void check_term(const FieldMapper& field, std::string_view text) {
  constexpr uint32_t kLongest = Limits{}.max_term_bytes;
  if (text.size() <= kLongest) return;
  refuse(field, text,
         fmt::format("a term of {} bytes; the limit is {} bytes in UTF-8", text.size(), kLongest));
}

}  // namespace

void FieldValues::add(const FieldMapper& field, const Scalar& value, bool escaped,
                      std::vector<FieldValue>& out) {
  const Scalar& taken = value.kind == Scalar::Kind::kNull ? field.null_value : value;
  if (taken.kind != Scalar::Kind::kNull) {
    switch (field.kind) {
      case FieldKind::kText:
        add_text(field, taken.text, out);
        break;
      case FieldKind::kKeyword:
        add_keyword(field, taken.text, escaped, out);
        break;
      case FieldKind::kNumber:
        add_number(field, taken, out);
        break;
      case FieldKind::kBoolean:
        add_boolean(field, taken, out);
        break;
      case FieldKind::kDate:
        add_date(field, taken.text, out);
        break;
      case FieldKind::kIp:
        add_ip(field, taken.text, out);
        break;
      case FieldKind::kGeoPoint:
        if (taken.kind != Scalar::Kind::kString) {
          refuse_point(field, taken.text, "a point expected");
        } else if (const auto point = parse_geo_point(taken.text); !point) {
          refuse_point(field, taken.text, "not a point");
        } else if (point->has_z && !field.ignore_z_value) {
          refuse_point(field, taken.text, "a third number, and ignore_z_value is false");
        } else {
          add_point(field, *point, out);
        }
        break;
      case FieldKind::kAlias:
        refuse(field, taken.text, "cannot write to a field alias");
    }
  } else if (field.null_point) {
    add_point(field, *field.null_point, out);
  } else if (field.kind == FieldKind::kAlias) {
    refuse(field, "null", "cannot write to a field alias");
  }
  for (const auto& sub : field.fields) add(*sub, value, escaped, out);
}

void FieldValues::add_text(const FieldMapper& field, std::string_view text,
                           std::vector<FieldValue>& out) {
  if (field.main == nullptr) return;
  if (field.one_term) check_term(field, text);
  out.push_back({.field = field.main.get(), .kind = ValueKind::kText, .bytes = text});
  add_name(field, out);
}

void FieldValues::add_keyword(const FieldMapper& field, std::string_view text, bool escaped,
                              std::vector<FieldValue>& out) {
  if (text.size() > field.ignore_above && utf16_length(text) > field.ignore_above) return;
  if (field.main == nullptr) return;
  if (field.one_term) check_term(field, text);
  if (escaped) text = input::without_surrogates(text, scratch_);
  out.push_back({.field = field.main.get(), .kind = ValueKind::kBytes, .bytes = text});
  add_name(field, out);
}

void FieldValues::add_number(const FieldMapper& field, const Scalar& value,
                             std::vector<FieldValue>& out) {
  if (value.kind == Scalar::Kind::kBoolean) return malformed(field, value.text, "not a number");
  const NumberValue number =
      parse_number(field.number, value.text,
                   value.kind == Scalar::Kind::kString ? JsonScalar::kString : JsonScalar::kNumber,
                   field.coerce);
  if (number.ok()) return add_parsed(field, number, out);
  if (number.problem == NumberProblem::kEmpty) {
    if (field.null_value.kind != Scalar::Kind::kNull && &value != &field.null_value) {
      add_number(field, field.null_value, out);
    }
    return;
  }
  // OpenSearch drops such a value later than others, without noting the field as ignored.
  if (number.problem == NumberProblem::kOutOfRange && field.ignore_malformed &&
      field.number == NumberType::kUnsignedLong && value.kind == Scalar::Kind::kNumber) {
    return;
  }
  malformed(field, value.text, explain(number.problem, field.number));
}

void FieldValues::add_parsed(const FieldMapper& field, const NumberValue& value,
                             std::vector<FieldValue>& out) {
  const size_t bytes = point_bytes(field.number);
  if (field.main != nullptr) {
    if (bytes == 4 || bytes == 8) {
      out.push_back({.field = field.main.get(),
                     .kind = bytes == 4 ? ValueKind::kInt : ValueKind::kLong,
                     .integer = value.doc_value});
    } else {
      char* packed = scratch_.allocate(bytes);
      pack_point(field.number, value.doc_value, reinterpret_cast<uint8_t*>(packed));
      out.push_back(
          {.field = field.main.get(), .kind = ValueKind::kBytes, .bytes = {packed, bytes}});
    }
  }
  if (field.column != nullptr) {
    out.push_back(
        {.field = field.column.get(), .kind = ValueKind::kLong, .integer = value.doc_value});
  }
  if (field.stored != nullptr) {
    if (field.number == NumberType::kUnsignedLong) {
      const fmt::format_int text(static_cast<uint64_t>(value.doc_value));
      out.push_back({.field = field.stored.get(),
                     .kind = ValueKind::kText,
                     .bytes = keep(text.data(), text.size())});
    } else {
      out.push_back(
          {.field = field.stored.get(),
           .kind = field.number == NumberType::kDouble ? ValueKind::kDouble : ValueKind::kFloat,
           .number = value.number});
    }
  }
  add_name(field, out);
}

void FieldValues::add_boolean(const FieldMapper& field, const Scalar& value,
                              std::vector<FieldValue>& out) {
  if (value.kind == Scalar::Kind::kNumber ||
      (value.text != "true" && value.text != "false" && !value.text.empty())) {
    // Only the index's own ignore_malformed comes here, and OpenSearch does not note the field
    // then.
    if (field.ignore_malformed) return;
    refuse(field, value.text, "only true and false are allowed");
  }
  const bool is_true = value.text == "true";
  if (field.main != nullptr) {
    out.push_back(
        {.field = field.main.get(), .kind = ValueKind::kText, .bytes = is_true ? "T" : "F"});
  }
  if (field.column != nullptr) {
    out.push_back({.field = field.column.get(), .kind = ValueKind::kLong, .integer = is_true});
  }
  add_name(field, out);
}

void FieldValues::add_date(const FieldMapper& field, std::string_view text,
                           std::vector<FieldValue>& out) {
  const auto time = field.format->parse(text, field.resolution);
  if (!time) {
    return malformed(
        field, text,
        fmt::format("not a date of the format {}", input::quoted(field.format->text())));
  }
  add_named(field, {.kind = ValueKind::kLong, .integer = *time}, out);
}

void FieldValues::add_ip(const FieldMapper& field, std::string_view text,
                         std::vector<FieldValue>& out) {
  const auto address = parse_ip(text);
  if (!address) return malformed(field, text, "not an IP address");
  add_named(field, {.kind = ValueKind::kBytes, .bytes = keep(address->data(), address->size())},
            out);
}

// Of a date or an address. A node puts the name before a value that is only stored, and behind any
// other: the fields get their numbers in this order.
void FieldValues::add_named(const FieldMapper& field, FieldValue value,
                            std::vector<FieldValue>& out) {
  value.field = field.main.get();
  const bool first = value.field != nullptr && value.field->type().point_dimensions == 0;
  if (first) add_name(field, out);
  if (value.field != nullptr) out.push_back(value);
  if (!first) add_name(field, out);
}

void FieldValues::add_point(const FieldMapper& field, GeoPoint point,
                            std::vector<FieldValue>& out) {
  if (!is_valid(point)) {
    const auto around = field.ignore_malformed ? normalized(point) : std::nullopt;
    if (!around) {
      return refuse_point(field, fmt::format("{}, {}", point.lat, point.lon),
                          "latitudes go from -90 to 90, longitudes from -180 to 180");
    }
    point = *around;
  }
  // In the order of a node, which gives the fields their numbers.
  if (field.stored != nullptr) {
    out.push_back({.field = field.stored.get(),
                   .kind = ValueKind::kText,
                   .bytes = keep(java_double(point.lat) + ", " + java_double(point.lon))});
  }
  add_name(field, out);
  const auto packed = geo_packed_point(point);
  out.push_back({.field = field.main.get(),
                 .kind = ValueKind::kBytes,
                 .bytes = keep(packed.data(), packed.size())});
  if (field.column != nullptr) {
    out.push_back(
        {.field = field.column.get(), .kind = ValueKind::kLong, .integer = geo_doc_value(point)});
  }
}

void FieldValues::refuse_point(const FieldMapper& field, std::string_view shown,
                               std::string_view why) {
  malformed(field, shown, why);
}

void FieldValues::refuse_object(const FieldMapper& field) {
  const bool may_ignore = field.kind == FieldKind::kNumber || field.kind == FieldKind::kDate ||
                          field.kind == FieldKind::kIp;
  // OpenSearch passes over it without noting the field as ignored.
  if (may_ignore && field.ignore_malformed && field.fields.empty() && field.copy_to.empty()) {
    return;
  }
  throw InvalidDocument(fmt::format("{}: an object; the field takes single values",
                                    describe_field(field.path, field.type)));
}

// A name stands for the objects it is in, too.
void FieldValues::add_name(const FieldMapper& field, std::vector<FieldValue>& out) {
  if (!field.in_field_names || !tree_.field_names) return;
  const std::string_view path = field.path;
  for (size_t dot = path.find('.');; dot = path.find('.', dot + 1)) {
    out.push_back({.field = &tree_.metadata.field_names,
                   .kind = ValueKind::kText,
                   .bytes = path.substr(0, dot)});
    if (dot == path.npos) return;
  }
}

void FieldValues::malformed(const FieldMapper& field, std::string_view text, std::string_view why) {
  if (!field.ignore_malformed) refuse(field, text, why);
  ignore(field);
}

void FieldValues::ignore(const FieldMapper& field) {
  if (std::ranges::find(ignored_, &field.path) == ignored_.end()) ignored_.push_back(&field.path);
}

const std::vector<const std::string*>& FieldValues::ignored() {
  codec::sort_as_java_map(ignored_,
                          [](const std::string* name) { return index::java_string_hash(*name); });
  return ignored_;
}

std::string_view FieldValues::keep(const void* bytes, size_t size) {
  char* to = scratch_.allocate(size);
  std::memcpy(to, bytes, size);
  return {to, size};
}

}  // namespace postern::opensearch
