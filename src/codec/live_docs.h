// Which documents of a segment are deleted, and the `.liv` file (docs/formats/11 §5).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

// Words of a bit set over max_doc documents; bit (d mod 64) of word d/64 is set while d is live.
constexpr size_t live_docs_words(uint32_t max_doc) {
  return (static_cast<size_t>(max_doc) + 63) / 64;
}
// All live; bits beyond max_doc are 0.
std::vector<uint64_t> all_live(uint32_t max_doc);
inline void delete_doc(std::span<uint64_t> live, uint32_t doc) {
  live[doc / 64] &= ~(uint64_t{1} << (doc % 64));
}
inline bool is_live(std::span<const uint64_t> live, uint32_t doc) {
  return (live[doc / 64] >> (doc % 64) & 1) != 0;
}
uint32_t count_deleted(std::span<const uint64_t> live, uint32_t max_doc);

// Writes `<segment>_<generation in base 36>.liv` and returns its name. `live` has
// live_docs_words(max_doc) words, no bit beyond max_doc is set; anything else is InvalidArgument.
// Errors: IoError.
std::string write_live_docs(Directory& directory, const std::string& segment,
                            const store::ObjectId& id, uint64_t generation,
                            std::span<const uint64_t> live, uint32_t max_doc);
// `del_count` is what the commit says; throws CorruptIndex if the bits disagree.
std::vector<uint64_t> read_live_docs(const Directory& directory, const std::string& segment,
                                     const store::ObjectId& id, uint64_t generation,
                                     uint32_t max_doc, uint32_t del_count);

}  // namespace postern::codec
