#include "input/json_operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace postern::input {

namespace {

constexpr std::array<std::string_view, JsonOperation::kOperands> kKeys = {
    "doc", "docs", "term", "terms", "query", "field", "fields", "value", "user_data"};

template <class... Operand>
constexpr uint32_t any(Operand... operand) {
  return (0u | ... | (1u << operand));
}

// "doc" or "docs"
std::string names_of(uint32_t operands) {
  std::string out;
  for (size_t i = 0; i < kKeys.size(); ++i) {
    if ((operands >> i & 1u) == 0) continue;
    out += fmt::format("{}\"{}\"", out.empty() ? "" : " or ", kKeys[i]);
  }
  return out;
}

}  // namespace

const JsonOperation::Rule* JsonOperation::rule_of(std::string_view name) {
  static constexpr std::array kRules = {
      Rule{"add", Event::kDocuments, {any(kDoc, kDocs)}, 0},
      Rule{"update", Event::kUpdate, {any(kTerm), any(kDoc, kDocs)}, 0},
      Rule{"delete", Event::kDelete, {any(kTerm, kTerms, kQuery)}, 0},
      Rule{"update_doc_values",
           Event::kUpdateDocValues,
           {any(kTerm), any(kField, kFields), any(kValue, kFields)},
           0},
      Rule{"delete_all", Event::kDeleteAll, {}, 0},
      Rule{"flush", Event::kFlush, {}, 0},
      Rule{"commit", Event::kCommit, {}, any(kUserData)}};
  for (const Rule& rule : kRules) {
    if (rule.name == name) return &rule;
  }
  std::string known;
  for (const Rule& rule : kRules)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", rule.name);
  if (name == "force_merge") {
    throw BadValue(
        fmt::format("\"op\": \"{}\" is not supported yet; known operations: {}", name, known));
  }
  throw BadValue(fmt::format("unknown \"op\" {}; known: {}", quoted(name), known));
}

JsonOperation::JsonOperation(std::string_view name) : rule_(rule_of(name)) {}

JsonOperation::Operand JsonOperation::take_key(std::string_view key) {
  const auto found = std::find(kKeys.begin(), kKeys.end(), key);
  const auto index = static_cast<size_t>(found - kKeys.begin());
  const uint32_t bit = found == kKeys.end() ? 0 : 1u << index;
  bool fits = (rule_->optional & bit) != 0;
  for (const uint32_t set : rule_->needed) {
    if ((set & bit) == 0) continue;
    fits = true;
    if ((set & taken_) != 0) {
      throw BadValue(fmt::format("\"op\": \"{}\" takes one {}, {} is another", rule_->name,
                                 names_of(set), quoted(key)));
    }
  }
  if (!fits) {
    throw BadValue(fmt::format("unknown key {} in \"op\": \"{}\"", quoted(key), rule_->name));
  }
  if ((rule_->optional & taken_ & bit) != 0) {
    throw BadValue(fmt::format("repeated key {} in \"op\": \"{}\"", quoted(key), rule_->name));
  }
  taken_ |= bit;
  return static_cast<Operand>(index);
}

void JsonOperation::check_complete() const {
  if (!known()) return;
  for (const uint32_t set : rule_->needed) {
    if (set == 0 || (set & taken_) != 0) continue;
    throw BadValue(fmt::format("\"op\": \"{}\" needs {}", rule_->name, names_of(set)));
  }
}

}  // namespace postern::input
