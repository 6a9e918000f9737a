// Any bytes as doc values: the reader ends in values or in one of its errors.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "codec/doc_values_format.h"
#include "codec/doc_values_reader.h"
#include "codec/segment_context.h"
#include "postern/error.h"
#include "sealed_file.h"
#include "store/index_output.h"

using namespace postern;

namespace {

// Header and footer are made right, so that the fuzzer spends its time behind them.
void write_file(Directory& directory, const char* extension, const char* codec,
                std::span<const uint8_t> body) {
  store::IndexOutput out(directory, codec::segment_file("_0", codec::kDocValuesSuffix, extension));
  store::write_index_header(out, codec, codec::kDocValuesVersion, fuzz::kId,
                            codec::kDocValuesSuffix);
  out.write_bytes(body);
  store::write_footer(out);
  out.close();
}

// Two fields of each type, the second with a skip index where there can be one.
codec::FieldInfos ten_fields() {
  codec::FieldInfos infos;
  for (uint32_t number = 0; number < 10; ++number) {
    codec::FieldInfo& info = infos.fields.emplace_back();
    info.number = number;
    info.name = "f" + std::to_string(number);
    info.doc_values = static_cast<DocValuesType>(1 + number % 5);
    info.doc_values_skip_index = number >= 5 && info.doc_values != DocValuesType::kBinary;
  }
  return infos;
}

// A damaged file may claim that one document has any number of values.
constexpr uint64_t kEnough = 10'000;

}  // namespace

// Input: two numbers of 16 bits, the documents in tens and the length of .dvm's body, which
// follows, then .dvd's.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  const uint32_t max_doc = load_le<uint16_t>(data) * 10u;
  const std::span<const uint8_t> rest(data + 4, size - 4);
  const size_t meta = std::min<size_t>(load_le<uint16_t>(data + 2), rest.size());
  const auto directory = memory_directory();
  write_file(*directory, codec::kDocValuesMetaExtension, codec::kDocValuesMetaCodec,
             rest.first(meta));
  write_file(*directory, codec::kDocValuesDataExtension, codec::kDocValuesDataCodec,
             rest.subspan(meta));
  static const codec::FieldInfos infos = ten_fields();
  try {
    const codec::DocValuesReader reader(*directory, "_0", fuzz::kId, infos, max_doc);
    for (const codec::FieldInfo& info : infos.fields) {
      uint64_t seen = 0;
      auto count = [&](auto&&...) {
        if (++seen > kEnough) throw CorruptIndex("enough");
      };
      auto visit = [&](auto&& what) {
        try {
          what();
        } catch (const CorruptIndex&) {
        }
      };
      visit([&] { reader.visit_numbers(info.number, count); });
      visit([&] { reader.visit_bytes(info.number, count); });
      visit([&] { reader.visit_terms(info.number, count); });
      visit([&] { reader.visit_term_index(info.number, count); });
      visit([&] { reader.visit_skip_index(info.number, count); });
    }
  } catch (const CorruptIndex&) {
  }
  return 0;
}
