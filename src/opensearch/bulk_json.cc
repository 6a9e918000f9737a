#include "opensearch/bulk_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/utf8.h"
#include "input/errors.h"
#include "input/json_cursor.h"
#include "input/text_values.h"

namespace postern::opensearch {
namespace {

namespace ondemand = simdjson::ondemand;
using input::BadValue;

constexpr size_t kUsualLine = size_t{64} << 10;
constexpr std::array<std::string_view, 4> kActions = {"index", "create", "update", "delete"};

// Runs what reads a line, its errors with a reason.
template <class Read>
auto reading(std::string_view line, Read&& read) {
  try {
    return read();
  } catch (const simdjson::simdjson_error& e) {
    if (e.error() == simdjson::UTF8_ERROR) {
      throw BadValue(fmt::format("not valid UTF-8 at byte {}", input::find_invalid_utf8(line) + 1));
    }
    if (e.error() == simdjson::INCORRECT_TYPE) throw BadValue("a line must be a JSON object");
    throw BadValue(fmt::format("malformed JSON: {}", e.what()));
  }
}

}  // namespace

// simdjson's indexes take four bytes per byte of the longest line.
void BulkJson::prepare(size_t length) {
  if (length <= capacity_) return;
  capacity_ = std::max(kUsualLine, std::bit_ceil(length));
  input::check(parser_.allocate(capacity_));
}

ondemand::object BulkJson::open(std::string_view line) {
  prepare(line.size());
  document_ = input::taken<ondemand::document>(
      parser_.iterate(line.data(), line.size(), line.size() + simdjson::SIMDJSON_PADDING));
  return input::taken<ondemand::object>(document_.get_object());
}

void BulkJson::take_text(ondemand::value& value, std::string_view what, std::string& text) const {
  const auto type = input::taken<ondemand::json_type>(value.type());
  if (type == ondemand::json_type::number) {
    const std::string_view token = input::token_of(value);
    input::check(value.get_number().error());
    text = token;
  } else if (type == ondemand::json_type::string) {
    std::string_view string;
    if (value.get_string().get(string) != simdjson::SUCCESS) {
      throw BadValue(fmt::format("{} is malformed", what));
    }
    text = string;
  } else if (type == ondemand::json_type::boolean) {
    text = input::taken<bool>(value.get_bool()) ? "true" : "false";
  } else {
    throw BadValue(fmt::format("{} must be a string or a number", what));
  }
}

const ActionLine& BulkJson::read_action(std::string_view line) {
  action_.id.clear();
  action_.routing.clear();
  action_.index.clear();
  action_.refused.clear();
  action_.has_id = action_.has_routing = action_.has_index = false;
  reading(line, [&] {
    ondemand::object root = open(line);
    size_t keys = 0;
    for (auto member : root) {
      ondemand::field field = input::taken<ondemand::field>(std::move(member));
      const auto key = input::taken<std::string_view>(field.unescaped_key());
      if (keys++ != 0) throw BadValue("an action has one key");
      const auto found = std::find(kActions.begin(), kActions.end(), key);
      if (found == kActions.end()) {
        throw BadValue(
            fmt::format("expected an action (index, create), not {}", input::quoted(key)));
      }
      action_.action = static_cast<BulkAction>(found - kActions.begin());
      ondemand::value value = field.value();
      if (input::taken<ondemand::json_type>(value.type()) != ondemand::json_type::object) {
        throw BadValue("an action's value must be an object");
      }
      for (auto inner : input::taken<ondemand::object>(value.get_object())) {
        ondemand::field parameter = input::taken<ondemand::field>(std::move(inner));
        const auto name = input::taken<std::string_view>(parameter.unescaped_key());
        read_parameter(name, parameter.value());
      }
    }
    if (keys == 0) throw BadValue("an action has one key");
    if (document_.current_location().error() != simdjson::OUT_OF_BOUNDS) {
      throw BadValue("text behind the object");
    }
  });
  if (action_.action == BulkAction::kUpdate || action_.action == BulkAction::kDelete) {
    action_.refused = fmt::format("{} actions cannot be built, only index and create",
                                  input::quoted(kActions[static_cast<size_t>(action_.action)]));
  }
  return action_;
}

void BulkJson::read_parameter(std::string_view key, ondemand::value value) {
  const auto refuse = [&](std::string reason) {
    if (action_.refused.empty()) action_.refused = std::move(reason);
  };
  const auto take = [&](bool& has, std::string& text) {
    if (has) refuse(fmt::format("repeated parameter {}", input::quoted(key)));
    if (input::taken<ondemand::json_type>(value.type()) == ondemand::json_type::null) return;
    has = true;
    try {
      take_text(value, input::quoted(key), text);
    } catch (const BadValue& e) {
      refuse(e.what());
    }
  };
  if (key == "_id") {
    take(action_.has_id, action_.id);
  } else if (key == "routing") {
    take(action_.has_routing, action_.routing);
    action_.has_routing = !action_.routing.empty();  // an empty one is none
  } else if (key == "_index") {
    take(action_.has_index, action_.index);
  } else {
    refuse(fmt::format("the action's parameter {} is not supported", input::quoted(key)));
  }
}

bool BulkJson::find(std::string_view line, std::string_view path, std::string& text) {
  return reading(line, [&] { return find_in(open(line), path, text); });
}

bool BulkJson::find_in(ondemand::object object, std::string_view path, std::string& text) {
  for (auto member : object) {
    ondemand::field field = input::taken<ondemand::field>(std::move(member));
    const auto key = input::taken<std::string_view>(field.unescaped_key());
    ondemand::value value = field.value();
    const auto type = input::taken<ondemand::json_type>(value.type());
    if (key == path) {
      if (type == ondemand::json_type::null) continue;
      take_text(value, input::quoted(path), text);
      return true;
    }
    if (path.size() > key.size() && path.starts_with(key) && path[key.size()] == '.' &&
        type == ondemand::json_type::object &&
        find_in(input::taken<ondemand::object>(value.get_object()), path.substr(key.size() + 1),
                text)) {
      return true;
    }
  }
  return false;
}

}  // namespace postern::opensearch
