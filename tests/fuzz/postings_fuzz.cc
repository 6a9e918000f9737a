// One postings list with all its positions.
//
// Input: u8 index options (1-4) and 8 for payloads, le32 doc_freq, le64 total_term_freq, le32
// length of `.doc`, le32 length of `.pos`, the two bodies and that of `.pay`.
#include <algorithm>

#include "codec/postings_reader.h"
#include "codec/segment_context.h"
#include "sealed_file.h"

namespace {

using namespace postern;
using namespace postern::codec;

constexpr uint32_t kMaxDoc = 1 << 30;

// Returns where the body begins.
uint64_t put(Directory& directory, const char* extension, std::string_view codec,
             std::span<const uint8_t> body, uint64_t& length) {
  store::IndexOutput out(directory, segment_file("_0", kPostingsSuffix, extension));
  store::write_index_header(out, codec, kPostingsVersion, fuzz::kId, kPostingsSuffix);
  uint64_t start = out.file_pointer();
  out.write_bytes(body);
  store::write_footer(out);
  out.close();
  length = out.file_pointer();
  return start;
}

void read_all(const PostingsReader& reader, const PostingsParts& parts, const TermState& state) {
  for (bool every : {true, false}) {
    PostingsCursor cursor = reader.postings(parts, state);
    while (cursor.next_doc() != PostingsCursor::kNoMoreDocs) {
      if (!parts.positions || (!every && cursor.doc() % 3 != 0)) continue;
      for (uint32_t i = 0; i < cursor.freq(); ++i) cursor.next_position();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kHead = 21;
  if (size < kHead) return 0;
  FieldInfo info;
  info.name.push_back('f');
  info.index_options = static_cast<IndexOptions>(1 + data[0] % 4);
  info.payloads = (data[0] & 8) != 0 && info.has_positions();
  FieldInfos infos;
  infos.fields.push_back(info);

  std::span<const uint8_t> rest(data + kHead, size - kHead);
  auto part = [&](uint32_t length) {
    auto out = rest.first(std::min<size_t>(length, rest.size()));
    rest = rest.subspan(out.size());
    return out;
  };
  auto directory = memory_directory();
  TermState state;
  state.doc_freq = load_le<uint32_t>(data + 1) % kMaxDoc;
  state.total_term_freq = load_le<uint64_t>(data + 5);
  state.singleton_doc = state.doc_freq == 1 ? data[0] : kNoSingleton;
  uint64_t lengths[3] = {};
  state.doc_start =
      put(*directory, "doc", kPostingsDocCodec, part(load_le<uint32_t>(data + 13)), lengths[0]);
  state.pos_start =
      put(*directory, "pos", kPostingsPosCodec, part(load_le<uint32_t>(data + 17)), lengths[1]);
  state.pay_start = put(*directory, "pay", kPostingsPayCodec, rest, lengths[2]);
  ByteBuffer meta;
  for (int i = 0; i < 4; ++i) meta.write_le32(0);
  meta.write_le64(lengths[0]);
  if (infos.any_positions()) meta.write_le64(lengths[1]);
  if (infos.any_positions() && infos.any_offsets_or_payloads()) meta.write_le64(lengths[2]);
  uint64_t unused;
  put(*directory, "psm", kPostingsMetaCodec, meta.bytes(), unused);

  PostingsReader reader(*directory, "_0", fuzz::kId, infos, kMaxDoc);
  try {
    read_all(reader, PostingsParts(info), state);
  } catch (const CorruptIndex&) {
  }
  return 0;
}
