#include "input/schema.h"

#include "base/utf8.h"

namespace postern::input {

const char* kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::kText:
      return "text";
    case FieldKind::kKeyword:
      return "keyword";
    case FieldKind::kBinary:
      return "binary";
    case FieldKind::kInt:
      return "int";
    case FieldKind::kLong:
      return "long";
    case FieldKind::kFloat:
      return "float";
    case FieldKind::kDouble:
      return "double";
    case FieldKind::kVector:
      return "knn_vector";
  }
  return "";
}

const Declaration* Schema::match(std::string_view name) const {
  if (const auto found = exact_.find(name); found != exact_.end()) {
    return &declarations_[found->second];
  }
  for (size_t index : patterns_) {
    const std::string_view pattern = declarations_[index].name;
    const size_t star = pattern.find('*');
    const std::string_view head = pattern.substr(0, star);
    const std::string_view tail = pattern.substr(star + 1);
    if (name.size() >= head.size() + tail.size() && name.starts_with(head) &&
        name.ends_with(tail)) {
      return &declarations_[index];
    }
  }
  return nullptr;
}

const SchemaField* Schema::find(std::string_view name) {
  std::string replaced;
  if (has_surrogates(name)) {
    // In the index they all are U+FFFD, so two spellings must not be two fields here.
    append_without_surrogates(replaced, name);
    name = replaced;
  }
  const std::scoped_lock lock(mutex_);
  if (const auto found = fields_.find(name); found != fields_.end()) return &found->second;
  const Declaration* d = match(name);
  if (d == nullptr) return nullptr;
  return &fields_
              .try_emplace(std::string(name), std::string(name), d->kind, d->type, d->analyzer,
                           d->position_increment_gap, d->offset_gap)
              .first->second;
}

}  // namespace postern::input
