// Reads a source to its end and looks at every byte of every value, so that a view that outlived
// its memory is seen.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "input/source.h"

namespace postern::fuzz {

inline void touch(std::string_view bytes) {
  [[maybe_unused]] volatile uint8_t sink = 0;
  // The bytes behind a value are promised to be readable, too.
  for (size_t i = 0; i < bytes.size() + kTermPadding; ++i) {
    if (bytes.data() != nullptr) sink = static_cast<uint8_t>(bytes.data()[i]);
  }
}

inline void read_to_the_end(input::Source& source) {
  while (true) {
    try {
      if (source.next() == input::Event::kEnd) return;
      for (const Term& term : source.terms()) touch(term.bytes);
      for (const DocValuesUpdate& update : source.doc_values()) {
        if (const auto* bytes = std::get_if<std::string_view>(&update.value)) touch(*bytes);
      }
      for (const Document& document : source.documents()) {
        for (const FieldValue& value : document.values()) {
          if (value.kind == ValueKind::kText || value.kind == ValueKind::kBytes) touch(value.bytes);
          if (value.tokens == nullptr) continue;
          for (const Token& token : value.tokens->tokens) {
            touch({reinterpret_cast<const char*>(token.term), token.term_length});
          }
        }
      }
    } catch (const input::RefusedInput&) {
    }
  }
}

}  // namespace postern::fuzz
