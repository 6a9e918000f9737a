// Any bytes as points: the reader ends in values or in one of its errors.
#include <algorithm>
#include <cstdint>
#include <span>

#include "codec/points_format.h"
#include "codec/points_reader.h"
#include "postern/error.h"
#include "sealed_file.h"
#include "store/index_output.h"

using namespace postern;

namespace {

// Header and footer are made right, so that the fuzzer spends its time behind them.
uint64_t write_file(Directory& directory, const char* name, const char* codec,
                    std::span<const uint8_t> body, std::span<const uint64_t> numbers = {}) {
  store::IndexOutput out(directory, name);
  store::write_index_header(out, codec, codec::kPointsVersion, fuzz::kId, "");
  out.write_bytes(body);
  for (uint64_t number : numbers) out.write_le64(number);
  store::write_footer(out);
  out.close();
  return out.file_pointer();
}

}  // namespace

// Input: three numbers of 16 bits, the documents in hundreds and the lengths of the bodies of .kdm
// (up to and with its end mark) and .kdi, which follow, then that of .kdd.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 6) return 0;
  const uint32_t max_doc = load_le<uint16_t>(data) * 100u;
  std::span<const uint8_t> rest(data + 6, size - 6);
  const auto meta = rest.first(std::min<size_t>(load_le<uint16_t>(data + 2), rest.size()));
  rest = rest.subspan(meta.size());
  const auto index = rest.first(std::min<size_t>(load_le<uint16_t>(data + 4), rest.size()));
  const auto directory = memory_directory();
  uint64_t lengths[2];
  lengths[0] = write_file(*directory, "_0.kdi", codec::kPointsIndexCodec, index);
  lengths[1] =
      write_file(*directory, "_0.kdd", codec::kPointsDataCodec, rest.subspan(index.size()));
  write_file(*directory, "_0.kdm", codec::kPointsMetaCodec, meta, lengths);
  try {
    const codec::PointsReader reader(*directory, "_0", fuzz::kId, max_doc);
    uint64_t points = 0;
    for (const codec::PointsEntry& entry : reader.entries()) {
      try {
        reader.for_each_leaf(entry,
                             [&](const codec::PointsLeaf& leaf) { points += leaf.docs.size(); });
      } catch (const CorruptIndex&) {
      }
    }
  } catch (const CorruptIndex&) {
  } catch (const NotSupported&) {
  }
  return 0;
}
