// Reads a terms dictionary of doc values (docs/formats/22 §4) from its first term to its last.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "codec/doc_values_entries.h"

namespace postern::codec {

// The term is valid during the call.
using TermVisitor = std::function<void(uint64_t ord, std::span<const uint8_t> term)>;

// `data`, `file`: the data file and its name. Throws CorruptIndex, also for terms out of order;
// any bytes are safe. Memory: a term and a block.
void visit_terms(const TermsDictEntry& entry, std::span<const uint8_t> data, std::string_view file,
                 const TermVisitor& visitor);

// The index keys, by number.
void visit_term_index(const TermsDictEntry& entry, std::span<const uint8_t> data,
                      std::string_view file, const TermVisitor& visitor);

}  // namespace postern::codec
