// Any bytes as stored fields: the reader ends in values or in one of its errors.
#include <algorithm>
#include <cstdint>
#include <span>

#include "codec/stored_fields_format.h"
#include "codec/stored_fields_reader.h"
#include "postern/error.h"
#include "sealed_file.h"
#include "store/index_output.h"

using namespace postern;

namespace {

constexpr uint32_t kMaxDoc = 5000;

// Header and footer are made right, so that the fuzzer spends its time behind them.
template <class Header>
void write_file(Directory& directory, const char* name, std::span<const uint8_t> body,
                const Header& header) {
  store::IndexOutput out(directory, name);
  header(out);
  out.write_bytes(body);
  store::write_footer(out);
  out.close();
}

}  // namespace

// Input: mode, two lengths of 16 bits, then the bodies of .fdm, .fdx and .fdt. The documents'
// number in .fdm is put right.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 5) return 0;
  const auto mode =
      (data[0] & 1) != 0 ? StoredFieldsMode::kBestCompression : StoredFieldsMode::kBestSpeed;
  std::span<const uint8_t> rest(data + 5, size - 5);
  auto take = [&](size_t n) {
    const auto part = rest.first(std::min(n, rest.size()));
    rest = rest.subspan(part.size());
    return part;
  };
  const auto meta = take(load_le<uint16_t>(data + 1));
  const auto index = take(load_le<uint16_t>(data + 3));
  const auto directory = memory_directory();
  write_file(*directory, "_0.fdm", meta, [](auto& out) {
    store::write_index_header(out, codec::kStoredFieldsMetaCodec, codec::kStoredFieldsMetaVersion,
                              fuzz::kId, "");
  });
  write_file(*directory, "_0.fdx", index, [](auto& out) {
    store::write_index_header(out, codec::kStoredFieldsIndexCodec, codec::kStoredFieldsIndexVersion,
                              fuzz::kId, "");
  });
  write_file(*directory, "_0.fdt", rest, [mode](auto& out) {
    store::write_index_header(out, codec::stored_fields_format(mode).data_codec,
                              codec::kStoredFieldsDataVersion, fuzz::kId, "");
  });
  // The body begins with the chunk size (a vInt) and the number of documents.
  uint32_t max_doc = 0;
  for (size_t at = 0; at + 5 <= meta.size() && at < 5; ++at) {
    if (meta[at] >= 0x80) continue;
    max_doc = load_le<uint32_t>(meta.data() + at + 1);
    break;
  }
  if (max_doc > kMaxDoc) return 0;
  try {
    codec::StoredFieldsReader reader(*directory, "_0", fuzz::kId, mode, max_doc);
    for (uint32_t doc = 0; doc < max_doc; ++doc) {
      try {
        reader.visit(doc, [](const codec::StoredValue&) {});
      } catch (const CorruptIndex&) {
        doc += 97;  // a damaged chunk is decoded again for each of its documents
      }
    }
  } catch (const CorruptIndex&) {
  }
  return 0;
}
