#include "opensearch/mapping_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "input/errors.h"
#include "postern/error.h"

namespace postern::opensearch {

namespace {

std::string_view last_part(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == path.npos ? path : path.substr(dot + 1);
}

FieldType term_type(bool stored) {
  FieldType type;
  type.index_options = IndexOptions::kDocs;
  type.tokenized = false;
  type.omit_norms = true;
  type.stored = stored;
  return type;
}

FieldType column_type(bool point) {
  FieldType type;
  type.doc_values = DocValuesType::kNumeric;
  if (point) {
    type.point_dimensions = type.point_index_dimensions = 1;
    type.point_bytes = 8;
  }
  return type;
}

FieldType stored_type() {
  FieldType type;
  type.stored = true;
  return type;
}

const Children kNoChildren;

}  // namespace

std::string_view FieldMapper::name() const { return last_part(path); }
std::string_view ObjectMapper::name() const { return last_part(path); }
std::string_view Mapper::name() const { return object != nullptr ? object->name() : field->name(); }

ObjectMapper::ObjectMapper() : children(&kNoChildren) {
  parameters.type = input::JsonNode::Type::kObject;
}

MetadataFields::MetadataFields()
    : id("_id", term_type(true)),
      nested_id("_id", term_type(false)),
      routing("_routing", term_type(true)),
      ignored("_ignored", term_type(true)),
      source("_source", stored_type()),
      nested_path("_nested_path", term_type(false)),
      version("_version", column_type(false)),
      sequence_number("_seq_no", column_type(true)),
      primary_term("_primary_term", column_type(false)),
      field_names("_field_names", term_type(false)) {}

Children::Children(const Children& base, const std::vector<Mapper>& more) : all_(base.all_) {
  all_.insert(all_.end(), more.begin(), more.end());
  slots_.resize(std::bit_ceil(all_.size() * 2));
  const size_t mask = slots_.size() - 1;
  for (uint32_t i = 0; i < all_.size(); ++i) {
    names_.push_back(all_[i].name());
    size_t at = hash_name(names_[i]) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = i + 1;
  }
}

Mapper Children::find(std::string_view name, uint64_t hash) const {
  if (slots_.empty()) return {};
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask; slots_[at] != 0; at = (at + 1) & mask) {
    if (names_[slots_[at] - 1] == name) return all_[slots_[at] - 1];
  }
  return {};
}

Mapper NewMappers::find(const ObjectMapper* parent, std::string_view name) const {
  for (const auto& [place, mapper] : places) {
    if (place == parent && mapper.name() == name) return mapper;
  }
  return {};
}

void MappingTree::check_limits(const NewMappers& mappers) const {
  std::lock_guard lock(mutex_);
  uint64_t total = total_fields_;
  uint64_t nested = nested_fields_;
  auto check_name = [&](std::string_view name) {
    if (name.size() > limits.name_length) {
      throw InvalidArgument(fmt::format("field name {} is longer than {} characters",
                                        input::quoted(name), limits.name_length));
    }
  };
  for (const auto& field : mappers.fields) {
    total += 1 + field->fields.size();
    check_name(field->name());
  }
  for (const auto& object : mappers.objects) {
    ++total;
    nested += object->nested ? 1 : 0;
    check_name(object->name());
    const auto dots = static_cast<uint64_t>(std::ranges::count(object->path, '.'));
    if (dots + 2 > limits.depth) {
      throw InvalidArgument(
          fmt::format("Limit of mapping depth [{}] has been exceeded due to "
                      "object field [{}]",
                      limits.depth, object->path));
    }
  }
  if (total > limits.total_fields) {
    throw InvalidArgument(
        fmt::format("Limit of total fields [{}] has been exceeded", limits.total_fields));
  }
  if (nested > limits.nested_fields) {
    throw InvalidArgument(
        fmt::format("Limit of nested fields [{}] has been exceeded", limits.nested_fields));
  }
}

void MappingTree::publish(NewMappers&& mappers) {
  std::lock_guard lock(mutex_);
  for (auto& field : mappers.fields) {
    total_fields_ += 1 + field->fields.size();
    fields_.push_back(std::move(field));
  }
  for (auto& object : mappers.objects) {
    ++total_fields_;
    nested_fields_ += object->nested ? 1 : 0;
    objects_.push_back(std::move(object));
  }
  std::ranges::stable_sort(mappers.places, {}, [](const auto& place) { return place.first; });
  for (size_t i = 0; i < mappers.places.size();) {
    ObjectMapper* parent = mappers.places[i].first;
    std::vector<Mapper> more;
    for (; i < mappers.places.size() && mappers.places[i].first == parent; ++i) {
      more.push_back(mappers.places[i].second);
    }
    auto table = std::make_unique<const Children>(*parent->children.load(), more);
    parent->children.store(table.get(), std::memory_order_release);
    tables_.push_back(std::move(table));
  }
  mappers.clear();
}

Mapper MappingTree::find(std::string_view path) {
  Mapper at{.object = &root};
  for (size_t from = 0; at.object != nullptr;) {
    const size_t dot = path.find('.', from);
    const std::string_view name = path.substr(from, dot == path.npos ? dot : dot - from);
    at = at.object->child(name, hash_name(name));
    if (!at || dot == path.npos) return at;
    from = dot + 1;
  }
  return {};
}

}  // namespace postern::opensearch
