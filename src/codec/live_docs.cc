#include "codec/live_docs.h"

#include <bit>

#include "codec/file_names.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

constexpr std::string_view kCodec = "Lucene90LiveDocs";
constexpr uint32_t kFormat = 0;

// Set bits that belong to documents, for the last word.
uint64_t last_word_mask(uint32_t max_doc) {
  return max_doc % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << (max_doc % 64)) - 1;
}

}  // namespace

std::vector<uint64_t> all_live(uint32_t max_doc) {
  std::vector<uint64_t> live(live_docs_words(max_doc), ~uint64_t{0});
  if (!live.empty()) live.back() = last_word_mask(max_doc);
  return live;
}

uint32_t count_deleted(std::span<const uint64_t> live, uint32_t max_doc) {
  uint32_t alive = 0;
  for (uint64_t word : live) alive += static_cast<uint32_t>(std::popcount(word));
  return max_doc - alive;
}

std::string write_live_docs(Directory& directory, const std::string& segment,
                            const store::ObjectId& id, uint64_t generation,
                            std::span<const uint64_t> live, uint32_t max_doc) {
  if (live.size() != live_docs_words(max_doc) ||
      (!live.empty() && (live.back() & ~last_word_mask(max_doc)) != 0))
    throw InvalidArgument("segment " + segment + ": live bits do not match its " +
                          std::to_string(max_doc) + " documents");
  store::IndexOutput out(directory, generation_file(segment, generation, "liv"));
  store::write_index_header(out, kCodec, kFormat, id, to_base36(generation));
  for (uint64_t word : live) out.write_le64(word);
  store::write_footer(out);
  out.close();
  return out.name();
}

std::vector<uint64_t> read_live_docs(const Directory& directory, const std::string& segment,
                                     const store::ObjectId& id, uint64_t generation,
                                     uint32_t max_doc, uint32_t del_count) {
  std::string name = generation_file(segment, generation, "liv");
  auto file = directory.open(name);
  std::string suffix = to_base36(generation);
  ByteReader in = store::open_whole(file->bytes(), name, {kCodec, kFormat, kFormat, &id, suffix});
  size_t words = live_docs_words(max_doc);
  if (in.remaining() != words * 8)
    in.fail("has " + std::to_string(in.remaining()) + " bytes of bits for " +
            std::to_string(max_doc) + " documents");
  std::vector<uint64_t> live(words);
  for (uint64_t& word : live) word = in.read_le64();
  if (words > 0 && (live.back() & ~last_word_mask(max_doc)) != 0)
    in.fail("has bits for documents beyond the last one, " + std::to_string(max_doc - 1));
  uint32_t deleted = count_deleted(live, max_doc);
  if (deleted != del_count)
    in.fail("deletes " + std::to_string(deleted) + " documents, the commit says " +
            std::to_string(del_count));
  return live;
}

}  // namespace postern::codec
