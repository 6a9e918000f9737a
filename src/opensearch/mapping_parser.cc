// Mapping::parse and Mapping::load: from JSON to the tree.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "input/byte_source.h"
#include "input/errors.h"
#include "opensearch/field_builder.h"
#include "opensearch/index_body.h"
#include "opensearch/index_settings.h"
#include "opensearch/known_types.h"
#include "opensearch/mapping.h"
#include "opensearch/mapping_checks.h"
#include "opensearch/mapping_tree.h"
#include "opensearch/own_names.h"
#include "opensearch/parameters.h"
#include "postern/error.h"

namespace postern::opensearch {

using input::JsonNode;

namespace {

// Default of dynamic_date_formats.
constexpr std::string_view kDynamicDates[] = {DateFormat::kDefault,
                                              "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"};

class MappingParser {
 public:
  explicit MappingParser(MappingTree& tree) : tree_(tree) {}

  void parse(const JsonNode& document) {
    const JsonNode& mappings = find_mappings(document, settings_, tree_);
    if (!mappings.is_object()) throw InvalidArgument("a mapping must be a JSON object");
    context_.coerce = tree_.coerce;
    context_.ignore_malformed = tree_.ignore_malformed;
    context_.check_analyzer = [this](const std::string& what, std::string_view name) {
      settings_.check_analyzer(what, name);
    };
    parse_root(mappings);
    tree_.check_limits(mappers_);
    tree_.publish(std::move(mappers_));
    check_targets(tree_);
    drop_redundant_includes(tree_);
  }

 private:
  void parse_root(const JsonNode& node) {
    Parameters parameters(node, "the mapping");
    tree_.date_detection = parameters.boolean("date_detection", true);
    tree_.numeric_detection = parameters.boolean("numeric_detection", false);
    take_date_formats(parameters);
    refuse_unless_empty(parameters, "dynamic_templates", "fields would be mapped by rules");
    refuse_unless_empty(parameters, "derived", "they are computed when searching");
    take_source(parameters);
    take_routing(parameters);
    if (const JsonNode* names = parameters.take("_field_names")) {
      Parameters inner(*names, "[_field_names]");
      tree_.field_names = inner.boolean("enabled", true);
      inner.finish();
    }
    if (const JsonNode* meta = parameters.take("_meta"); meta != nullptr && !meta->is_object()) {
      parameters.fail("_meta", "must be an object");
    }
    if (const JsonNode* stamp = parameters.take("_data_stream_timestamp")) {
      Parameters inner(*stamp, "[_data_stream_timestamp]");
      if (inner.boolean("enabled", false)) {
        inner.not_supported("enabled", "data streams make indexes of their own");
      }
      inner.keep({"timestamp_field"});
      inner.finish();
    }
    parameters.keep({"include_in_all"});
    take_object(tree_.root, parameters, node, Dynamic::kTrue);
    parameters.finish();
    add_properties(tree_.root, parameters);
  }

  static void refuse_unless_empty(Parameters& parameters, std::string_view key,
                                  std::string_view why) {
    const JsonNode* value = parameters.take(key);
    if (value == nullptr || (value->items.empty() && (value->is_array() || value->is_object()))) {
      return;
    }
    parameters.not_supported(key, why);
  }

  void take_date_formats(Parameters& parameters) {
    const JsonNode* formats = parameters.take("dynamic_date_formats");
    if (formats == nullptr) {
      for (std::string_view format : kDynamicDates) {
        tree_.date_formats.push_back(DateFormat::compile(format));
      }
      return;
    }
    auto add = [&](const JsonNode& format) {
      if (!format.is_string()) parameters.fail("dynamic_date_formats", "must be strings");
      if (format.text.starts_with("epoch_")) {
        parameters.fail("dynamic_date_formats",
                        fmt::format("[{}] is not supported as dynamic date format", format.text));
      }
      try {
        tree_.date_formats.push_back(DateFormat::compile(format.text));
      } catch (const NotSupported& e) {
        parameters.not_supported("dynamic_date_formats", e.what());
      } catch (const InvalidArgument& e) {
        parameters.fail("dynamic_date_formats", e.what());
      }
    };
    if (!formats->is_array()) return add(*formats);
    for (const JsonNode& format : formats->items) add(format);
  }

  static void take_source(Parameters& parameters) {
    const JsonNode* source = parameters.take("_source");
    if (source == nullptr) return;
    Parameters inner(*source, "[_source]");
    if (!inner.boolean("enabled", true)) {
      inner.not_supported("enabled", "without _source there are no updates and no reindexing");
    }
    for (const char* key : {"includes", "excludes", "recovery_source_enabled",
                            "recovery_source_includes", "recovery_source_excludes"}) {
      if (const JsonNode* value = inner.take(key)) {
        if ((value->is_array() && value->items.empty()) || value->text == "true") continue;
        inner.not_supported(key, "_source is kept byte for byte");
      }
    }
    inner.finish();
  }

  void take_routing(Parameters& parameters) {
    const JsonNode* routing = parameters.take("_routing");
    if (routing == nullptr) return;
    Parameters inner(*routing, "[_routing]");
    tree_.routing_required = inner.boolean("required", false);
    inner.finish();
  }

  // "properties" is left to add_properties.
  void take_object(ObjectMapper& object, Parameters& parameters, const JsonNode& node,
                   Dynamic inherited) {
    object.enabled = parameters.boolean("enabled", true);
    object.dynamic = inherited;
    if (const JsonNode* dynamic = parameters.take("dynamic")) {
      object.dynamic = dynamic_of(parameters, *dynamic);
      object.strict_itself = object.dynamic == Dynamic::kStrict;
    }
    properties_ = parameters.take("properties");
    for (size_t i = 0; i < node.keys.size(); ++i) {
      if (node.keys[i] == "properties") continue;
      object.parameters.keys.push_back(node.keys[i]);
      object.parameters.items.push_back(node.items[i]);
    }
  }

  static Dynamic dynamic_of(const Parameters& parameters, const JsonNode& value) {
    if (value.text == "true") return Dynamic::kTrue;
    if (value.text == "false") return Dynamic::kFalse;
    if (value.text == "strict") return Dynamic::kStrict;
    if (value.text.ends_with("_allow_templates")) {
      parameters.not_supported(
          "dynamic", fmt::format("{}: there are no dynamic templates", input::quoted(value.text)));
    }
    parameters.fail("dynamic",
                    fmt::format("must be true, false or \"strict\", got {}", shown(value)));
  }

  void add_properties(ObjectMapper& object, const Parameters& parameters) {
    const JsonNode* properties = properties_;
    if (properties == nullptr) return;
    if (properties->is_array() && properties->items.empty()) return;
    if (!properties->is_object()) parameters.fail("properties", "must be an object");
    for (size_t i = 0; i < properties->keys.size(); ++i) {
      add_property(object, properties->keys[i], properties->items[i]);
    }
  }

  // A name with dots stands for objects in each other.
  void add_property(ObjectMapper& object, const std::string& name, const JsonNode& node) {
    ObjectMapper* parent = &object;
    size_t from = 0;
    for (size_t dot; (dot = name.find('.', from)) != name.npos; from = dot + 1) {
      parent = &object_in(*parent, name.substr(from, dot - from));
    }
    const std::string last = name.substr(from);
    const std::string path = checked_path(*parent, last);
    if (node.is_array() && node.items.empty()) return;
    if (!node.is_object()) {
      throw InvalidArgument(
          fmt::format("field [{}]: must be an object with a \"type\", got {}", path, shown(node)));
    }
    const JsonNode* type = node.find("type");
    const bool is_object =
        type == nullptr ? node.find("properties") != nullptr || node.find("enabled") != nullptr
                        : type->text == "object" || type->text == "nested";
    if (is_object) return add_object(*parent, last, path, node);
    if (mappers_.find(parent, last)) {
      throw InvalidArgument(fmt::format("field [{}] is there twice", path));
    }
    auto field = build_field(path, node, context_);
    mappers_.places.push_back({parent, {.field = field.get()}});
    check_size();
    mappers_.fields.push_back(std::move(field));
  }

  static std::string checked_path(const ObjectMapper& parent, const std::string& name) {
    const std::string path = parent.path.empty() ? name : parent.path + "." + name;
    if (name.empty()) {
      throw InvalidArgument(fmt::format("field {}: a name cannot be empty", input::quoted(path)));
    }
    if (const char* why = parent.path.empty() ? why_reserved(name) : nullptr) {
      throw InvalidArgument(fmt::format("field [{}]: {}", path, why));
    }
    return path;
  }

  void add_object(ObjectMapper& parent, const std::string& name, const std::string& path,
                  const JsonNode& node) {
    const JsonNode* type = node.find("type");
    const bool nested = type != nullptr && type->text == "nested";
    Parameters parameters(node, describe_field(path, nested ? "nested" : "object"));
    parameters.take("type");
    if (mappers_.find(&parent, name).field != nullptr) {
      throw InvalidArgument(fmt::format("field [{}] is there twice", path));
    }
    const bool known = static_cast<bool>(mappers_.find(&parent, name));
    ObjectMapper& object = object_in(parent, name);
    if (known && (nested || object.nested || !object.parameters.keys.empty())) {
      throw InvalidArgument(fmt::format("field [{}] is there twice", path));
    }
    object.nested = nested;
    take_object(object, parameters, node, parent.dynamic);
    if (nested) {
      object.include_in_parent = parameters.boolean("include_in_parent", false);
      object.include_in_root = parameters.boolean("include_in_root", false);
    }
    refuse_unless_empty(parameters, "dynamic_templates", "fields would be mapped by rules");
    parameters.keep({"include_in_all"});
    // Before those of inner objects replace it.
    const JsonNode* properties = properties_;
    parameters.finish();
    properties_ = properties;
    add_properties(object, parameters);
  }

  // Of that name, a new one if there is none.
  ObjectMapper& object_in(ObjectMapper& parent, const std::string& name) {
    const std::string path = checked_path(parent, name);
    if (const Mapper known = mappers_.find(&parent, name)) {
      if (known.object != nullptr) return *known.object;
      throw InvalidArgument(
          fmt::format("{} cannot be an object too", describe_field(path, known.field->type)));
    }
    auto object = std::make_unique<ObjectMapper>();
    object->path = path;
    object->dynamic = parent.dynamic;
    ObjectMapper& result = *object;
    mappers_.places.push_back({&parent, {.object = &result}});
    check_size();
    mappers_.objects.push_back(std::move(object));
    return result;
  }

  // Before a giant mapping costs giant time.
  void check_size() const {
    if (mappers_.places.size() > tree_.limits.total_fields) tree_.check_limits(mappers_);
  }

  MappingTree& tree_;
  IndexSettings settings_;
  FieldContext context_;
  NewMappers mappers_;
  const JsonNode* properties_ = nullptr;  // of the object last taken
};

}  // namespace

Mapping::Mapping() : tree_(std::make_unique<MappingTree>()) {}
Mapping::~Mapping() = default;

std::unique_ptr<Mapping> Mapping::parse(std::string_view json, const std::string& name) {
  std::unique_ptr<Mapping> mapping(new Mapping);
  try {
    MappingParser(*mapping->tree_).parse(input::parse_json(json));
  } catch (const input::BadValue& e) {
    throw InvalidArgument(fmt::format("{}: {}", name, e.what()));
  } catch (const NotSupported& e) {
    throw NotSupported(fmt::format("{}: {}", name, e.what()));
  } catch (const InvalidArgument& e) {
    throw InvalidArgument(fmt::format("{}: {}", name, e.what()));
  }
  return mapping;
}

std::unique_ptr<Mapping> Mapping::load(const std::string& path) {
  constexpr size_t kLargest = size_t{64} << 20;
  std::unique_ptr<input::ByteSource> file;
  try {
    file = input::open_byte_source(path);
  } catch (const IoError& e) {
    if (e.error_number() != ENOENT) throw;
    throw InvalidArgument(fmt::format("there is no mapping {}", path));
  }
  return parse(input::read_all(*file, path, kLargest), path);
}

bool Mapping::routing_required() const { return tree_->routing_required; }

const std::vector<std::pair<std::string, std::string>>& Mapping::index_settings() const {
  return tree_->index_settings;
}

const std::vector<std::string>& Mapping::passed_over() const { return tree_->passed_over; }

}  // namespace postern::opensearch
