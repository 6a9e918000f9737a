// The operation of a JSON line: what its first key names, and which further keys it takes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "input/source.h"

namespace postern::input {

class JsonOperation {
 public:
  enum Operand : uint8_t {
    kDoc,
    kDocs,
    kTerm,
    kTerms,
    kQuery,
    kField,
    kFields,
    kValue,
    kUserData,
    kOperands
  };

  JsonOperation() = default;  // none: the line is a document
  // Throws BadValue for an operation that is not known.
  explicit JsonOperation(std::string_view name);

  bool known() const { return rule_ != nullptr; }
  Event event() const { return known() ? rule_->event : Event::kDocuments; }

  // Throws BadValue for a key that it does not take, or not beside those it has.
  Operand take_key(std::string_view key);
  // Throws BadValue if a key is missing.
  void check_complete() const;

 private:
  // Sets of operands, a bit for each. Of every set in `needed` there is exactly one.
  struct Rule {
    std::string_view name;
    Event event;
    std::array<uint32_t, 3> needed;
    uint32_t optional;
  };
  static const Rule* rule_of(std::string_view name);

  const Rule* rule_ = nullptr;
  uint32_t taken_ = 0;
};

}  // namespace postern::input
