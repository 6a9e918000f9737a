// The terms dictionary: iteration over all fields, and a look-up of what it finds.
//
// Input: le32 length of `.tim`, le32 length of `.tip`, the two bodies, and the body of `.tmd`
// without the lengths at its end. Headers, lengths and checksums are put around them.
#include <algorithm>

#include "codec/segment_context.h"
#include "codec/terms_reader.h"
#include "sealed_file.h"

namespace {

using namespace postern;
using namespace postern::codec;

// Field n has options 1 + n % 4, and payloads if n > 3.
FieldInfos fields() {
  FieldInfos out;
  for (uint32_t number = 0; number < 8; ++number) {
    FieldInfo info;
    info.name.push_back(static_cast<char>('a' + number));
    info.number = number;
    info.index_options = static_cast<IndexOptions>(1 + number % 4);
    info.payloads = number > 3 && info.has_positions();
    out.fields.push_back(std::move(info));
  }
  return out;
}

uint64_t put(Directory& directory, const char* extension, std::string_view codec,
             std::span<const uint8_t> body) {
  store::IndexOutput out(directory, segment_file("_0", kPostingsSuffix, extension));
  store::write_index_header(out, codec, kPostingsVersion, fuzz::kId, kPostingsSuffix);
  out.write_bytes(body);
  store::write_footer(out);
  out.close();
  return out.file_pointer();
}

void put_meta(Directory& directory, std::span<const uint8_t> body, uint64_t tip, uint64_t tim) {
  store::IndexOutput out(directory, segment_file("_0", kPostingsSuffix, "tmd"));
  for (std::string_view codec : {kTermsMetaCodec, kPostingsTermsCodec})
    store::write_index_header(out, codec, kPostingsVersion, fuzz::kId, kPostingsSuffix);
  out.write_bytes(body);
  out.write_le64(tip);
  out.write_le64(tim);
  store::write_footer(out);
  out.close();
}

void read_all(const TermsReader& reader) {
  for (const FieldTerms& field : reader.fields()) {
    try {
      field.find(field.min_term());
      field.find(field.max_term());
      TermsCursor cursor = field.terms();
      while (cursor.next()) field.find(cursor.term());
    } catch (const CorruptIndex&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 8) return 0;
  std::span<const uint8_t> rest(data + 8, size - 8);
  auto part = [&](uint32_t length) {
    auto out = rest.first(std::min<size_t>(length, rest.size()));
    rest = rest.subspan(out.size());
    return out;
  };
  auto directory = memory_directory();
  uint64_t tim = put(*directory, "tim", kTermsDictCodec, part(load_le<uint32_t>(data)));
  uint64_t tip = put(*directory, "tip", kTermsIndexCodec, part(load_le<uint32_t>(data + 4)));
  put_meta(*directory, rest, tip, tim);
  try {
    read_all(TermsReader(*directory, "_0", fuzz::kId, fields(), 1 << 20));
  } catch (const CorruptIndex&) {
  }
  return 0;
}
