// Any bytes as norms: the reader ends in values or in one of its errors.
#include <algorithm>
#include <cstdint>
#include <span>

#include "codec/norms_format.h"
#include "codec/norms_reader.h"
#include "postern/error.h"
#include "sealed_file.h"
#include "store/index_output.h"

using namespace postern;

namespace {

// Header and footer are made right, so that the fuzzer spends its time behind them.
void write_file(Directory& directory, const char* name, const char* codec,
                std::span<const uint8_t> body) {
  store::IndexOutput out(directory, name);
  store::write_index_header(out, codec, codec::kNormsVersion, fuzz::kId, "");
  out.write_bytes(body);
  store::write_footer(out);
  out.close();
}

}  // namespace

// Input: two numbers of 16 bits, the documents in hundreds and the length of .nvm's body, which
// follows, then .nvd's.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  const uint32_t max_doc = load_le<uint16_t>(data) * 100u;
  const std::span<const uint8_t> rest(data + 4, size - 4);
  const size_t meta = std::min<size_t>(load_le<uint16_t>(data + 2), rest.size());
  const auto directory = memory_directory();
  write_file(*directory, "_0.nvm", codec::kNormsMetaCodec, rest.first(meta));
  write_file(*directory, "_0.nvd", codec::kNormsDataCodec, rest.subspan(meta));
  try {
    const codec::NormsReader reader(*directory, "_0", fuzz::kId, max_doc);
    for (uint32_t field = 0; field < 8; ++field) {
      for (uint32_t doc = 0; doc < max_doc; doc += max_doc / 60 + 1) {
        try {
          reader.norm(field, doc);
        } catch (const CorruptIndex&) {
        }
      }
    }
  } catch (const CorruptIndex&) {
  }
  return 0;
}
