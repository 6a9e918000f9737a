// Numbers as people read them, and how they are told.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace postern::tool {

std::string counted(uint64_t number, std::string_view what);  // 1 document, 1,234 documents
std::string grouped(uint64_t number);                         // 1,234,567
std::string bytes_text(uint64_t bytes);                       // 1.2 GB (powers of 1,000)
std::string duration_text(double seconds);                    // 0.42 s, 3:07 min, 2:03:07 h

// Names and messages that come from a damaged file: bytes that are not UTF-8 become '?', and for a
// terminal control characters too.
std::string valid_utf8(std::string text);
std::string printable(std::string text);

// Writes to standard error. That nobody hears it (a closed pipe, a full disk) must not end an index
// half-way.
void tell(std::string_view text) noexcept;

}  // namespace postern::tool
