#include "opensearch/mapping_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "input/errors.h"
#include "opensearch/field_builder.h"
#include "postern/error.h"

namespace postern::opensearch {

namespace {

bool is_multi_field(MappingTree& tree, std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == path.npos) return false;
  const Mapper parent = tree.find(path.substr(0, dot));
  return parent.field != nullptr &&
         std::ranges::any_of(parent.field->fields,
                             [&](const auto& field) { return field->path == path; });
}

// The path of the innermost nested object a field is in.
std::string_view nested_scope(MappingTree& tree, std::string_view path) {
  std::string_view scope;
  for (size_t dot = path.find('.'); dot != path.npos; dot = path.find('.', dot + 1)) {
    const Mapper mapper = tree.find(path.substr(0, dot));
    if (mapper.object != nullptr && mapper.object->nested) scope = path.substr(0, dot);
  }
  return scope;
}

void check_alias(MappingTree& tree, const FieldMapper& field) {
  if (field.kind != FieldKind::kAlias) return;
  const std::string& path = field.parameters.find("path")->text;
  const Mapper target = tree.find(path);
  const bool is_field = target.field != nullptr && target.field->kind != FieldKind::kAlias;
  if (is_field || is_multi_field(tree, path)) return;
  throw InvalidArgument(fmt::format("{}: parameter [path]: there is no field {}",
                                    describe_field(field.path, field.type), input::quoted(path)));
}

void check_copy(MappingTree& tree, const FieldMapper& field, const std::string& target) {
  const std::string what =
      describe_field(field.path, field.type) + ": parameter [copy_to]: " + input::quoted(target);
  if (is_multi_field(tree, target)) throw InvalidArgument(what + " is a multi-field");
  if (tree.find(target).object != nullptr) throw InvalidArgument(what + " is an object");
  const std::string_view from = nested_scope(tree, field.path);
  const std::string to(nested_scope(tree, target));
  if (to.empty() || from == to || from.starts_with(to + ".")) return;
  throw InvalidArgument(what + " is in a nested object that the field is not in");
}

void check_targets_of(MappingTree& tree, const ObjectMapper& object) {
  for (const Mapper& child : object.children.load()->all()) {
    if (child.object != nullptr) {
      check_targets_of(tree, *child.object);
    } else {
      check_alias(tree, *child.field);
      for (const std::string& target : child.field->copy_to) {
        check_copy(tree, *child.field, target);
      }
    }
  }
}

void check_copies_of(const ObjectMapper& object, const NewMappers& added) {
  for (const Mapper& child : object.children.load()->all()) {
    if (child.object != nullptr) {
      check_copies_of(*child.object, added);
      continue;
    }
    for (const std::string& target : child.field->copy_to) {
      for (const auto& made : added.objects) {
        if (made->path != target) continue;
        throw InvalidArgument(fmt::format("field [{}]: an object, and {} is copied to it", target,
                                          describe_field(child.field->path, child.field->type)));
      }
    }
  }
}

void drop_includes_below(const ObjectMapper& object, bool reaches_root) {
  for (const Mapper& child : object.children.load()->all()) {
    if (child.object == nullptr) continue;
    ObjectMapper& inner = *child.object;
    const bool through_parents = reaches_root && inner.nested && inner.include_in_parent;
    const bool by_itself = inner.nested && inner.include_in_root;
    if (through_parents && by_itself) inner.include_in_root = false;
    drop_includes_below(inner, through_parents || by_itself);
  }
}

}  // namespace

void check_targets(MappingTree& tree) { check_targets_of(tree, tree.root); }

void check_new_objects(const MappingTree& tree, const NewMappers& added) {
  if (!added.objects.empty()) check_copies_of(tree.root, added);
}

void drop_redundant_includes(MappingTree& tree) { drop_includes_below(tree.root, true); }

}  // namespace postern::opensearch
