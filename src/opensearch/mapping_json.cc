// Mapping::to_json: the parameters as they were given, with the fields that documents brought.
#include <algorithm>
#include <string>
#include <vector>

#include "input/json_tree.h"
#include "opensearch/json_text.h"
#include "opensearch/mapping.h"
#include "opensearch/mapping_tree.h"

namespace postern::opensearch {

using input::json_quote;

namespace {

void write(std::string& out, const ObjectMapper& object) {
  out += '{';
  bool first = true;
  std::vector<Mapper> children = object.children.load()->all();
  for (size_t i = 0; i < object.parameters.keys.size(); ++i) {
    // An object with fields is one without saying so.
    if (object.parameters.keys[i] == "type" && object.parameters.items[i].text == "object" &&
        !children.empty()) {
      continue;
    }
    if (!first) out += ',';
    first = false;
    out += json_quote(object.parameters.keys[i]) + ':';
    if (object.parameters.keys[i] == "dynamic") {
      out += json_quote(object.parameters.items[i].text);  // a string also where true was given
    } else {
      append_json(out, object.parameters.items[i]);
    }
  }
  std::ranges::sort(children, {}, [](const Mapper& mapper) { return mapper.name(); });
  // An object without anything is one by its type.
  if (children.empty() && !object.path.empty()) {
    if (object.parameters.find("type") == nullptr) {
      out += first ? "\"type\":\"object\"" : ",\"type\":\"object\"";
    }
  } else if (!children.empty()) {
    out += first ? "\"properties\":{" : ",\"properties\":{";
    for (size_t i = 0; i < children.size(); ++i) {
      if (i != 0) out += ',';
      out += json_quote(children[i].name()) + ':';
      if (children[i].object != nullptr) {
        write(out, *children[i].object);
      } else {
        append_json(out, children[i].field->parameters);
      }
    }
    out += '}';
  }
  out += '}';
}

}  // namespace

std::string Mapping::to_json() const {
  std::lock_guard lock(tree_->mutex());
  std::string out;
  write(out, tree_->root);
  return out;
}

}  // namespace postern::opensearch
