#include "opensearch/index_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/errors.h"
#include "input/text_values.h"
#include "opensearch/parameters.h"
#include "postern/error.h"

namespace postern::opensearch {

using input::JsonNode;

namespace {

constexpr std::string_view kAnalyzers = "index.analysis.analyzer.";

// What an index gets anew, whatever it was.
bool is_bookkeeping(std::string_view name) {
  constexpr std::string_view kNames[] = {"index.uuid",
                                         "index.creation_date",
                                         "index.provided_name",
                                         "index.version.",
                                         "index.number_of_shards",
                                         "index.number_of_replicas",
                                         "index.replication.",
                                         "index.number_of_routing_shards",
                                         "index.resize.",
                                         "index.routing.allocation."};
  return std::ranges::any_of(kNames, [&](std::string_view prefix) {
    return name == prefix || (prefix.ends_with('.') && name.starts_with(prefix));
  });
}

bool is_true(const std::string& name, const JsonNode& value) {
  if (value.text == "true" || value.text == "false") return value.text == "true";
  throw InvalidArgument(
      fmt::format("setting [{}]: must be true or false, got {}", name, shown(value)));
}

uint64_t number(const std::string& name, const JsonNode& value) {
  const auto parsed = input::parse_long(value.text);
  if (parsed && *parsed >= 0) return static_cast<uint64_t>(*parsed);
  throw InvalidArgument(
      fmt::format("setting [{}]: must be a number from 0, got {}", name, shown(value)));
}

}  // namespace

void IndexSettings::read(const JsonNode& settings, MappingTree& tree) {
  if (!settings.is_object()) throw InvalidArgument("\"settings\" must be an object");
  add("", settings, tree);
}

void IndexSettings::add(std::string name, const JsonNode& value, MappingTree& tree) {
  if (!value.is_object()) {
    if (!name.starts_with("index.")) name = "index." + name;
    return take(name, value, tree);
  }
  for (size_t i = 0; i < value.keys.size(); ++i) {
    add(name.empty() ? value.keys[i] : name + "." + value.keys[i], value.items[i], tree);
  }
}

void IndexSettings::take(const std::string& name, const JsonNode& value, MappingTree& tree) {
  auto keep = [&] { tree.index_settings.emplace_back(name, value.text); };
  if (name == "index.mapping.total_fields.limit") {
    tree.limits.total_fields = number(name, value);
  } else if (name == "index.mapping.depth.limit") {
    tree.limits.depth = number(name, value);
  } else if (name == "index.mapping.nested_fields.limit") {
    tree.limits.nested_fields = number(name, value);
  } else if (name == "index.mapping.nested_objects.limit") {
    tree.limits.nested_objects = number(name, value);
  } else if (name == "index.mapping.field_name_length.limit") {
    tree.limits.name_length = number(name, value);
  } else if (name == "index.mapping.coerce") {
    tree.coerce = is_true(name, value);
  } else if (name == "index.mapping.ignore_malformed") {
    tree.ignore_malformed = is_true(name, value);
  } else if (name.starts_with("index.sort.")) {
    throw NotSupported(fmt::format("setting [{}] is not supported: shards are not sorted", name));
  } else if (name == "index.routing_partition_size" && value.text != "1") {
    throw NotSupported(
        fmt::format("setting [{}] is not supported: a routing goes to one shard", name));
  } else if (name == "index.derived_source.enabled" && value.text == "true") {
    throw NotSupported(fmt::format("setting [{}] is not supported: _source is stored", name));
  } else if (name == "index.composite_index" && value.text == "true") {
    throw NotSupported(
        fmt::format("setting [{}] is not supported: star-trees have files of their own", name));
  } else {
    if (name.starts_with(kAnalyzers)) {
      const std::string_view rest = std::string_view(name).substr(kAnalyzers.size());
      analyzers_.emplace_back(rest.substr(0, rest.find('.')));
    }
    if (!is_bookkeeping(name)) tree.passed_over.push_back(name);
    return;
  }
  keep();
}

void IndexSettings::check_analyzer(const std::string& what, std::string_view name) const {
  if (std::ranges::find(analyzers_, name) == analyzers_.end()) return;
  throw NotSupported(
      fmt::format("{}: analyzer {} is one that the index's settings define; only "
                  "those that OpenSearch ships can be built",
                  what, input::quoted(name)));
}

}  // namespace postern::opensearch
