// Any bytes as KNN vectors and their graphs: the readers end in values or in one of their errors.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/hnsw_reader.h"
#include "codec/segment_context.h"
#include "codec/vector_format.h"
#include "codec/vector_reader.h"
#include "sealed_file.h"
#include "store/index_output.h"

using namespace postern;

namespace {

// Header and footer are made right, so that the fuzzer spends its time behind them.
void write_file(Directory& directory, const char* extension, const char* codec, uint32_t version,
                std::span<const uint8_t> body) {
  store::IndexOutput out(directory, codec::segment_file("_0", codec::kVectorSuffix, extension));
  store::write_index_header(out, codec, version, fuzz::kId, codec::kVectorSuffix);
  out.write_bytes(body);
  store::write_footer(out);
  out.close();
}

codec::FieldInfos fields() {
  codec::FieldInfos infos;
  for (const uint32_t number : {0, 1}) {
    codec::FieldInfo info;
    info.name = number == 0 ? "bytes" : "floats";
    info.number = number;
    info.vector_dimension = 2 + number;
    info.vector_encoding = number == 0 ? VectorEncoding::kByte : VectorEncoding::kFloat32;
    infos.fields.push_back(info);
  }
  return infos;
}

void read_vectors(const Directory& directory, const codec::FieldInfos& infos, uint32_t max_doc) {
  const codec::VectorReader reader(directory, "_0", fuzz::kId, infos, max_doc);
  for (const codec::FieldInfo& info : infos.fields) {
    const codec::VectorEntry* entry = reader.find(info.number);
    if (entry == nullptr) continue;
    uint64_t sum = 0;
    for (uint8_t byte : reader.vectors(*entry)) sum += byte;
    try {
      reader.visit_docs(*entry, [&](uint32_t doc) { sum += doc; });
    } catch (const CorruptIndex&) {
    }
  }
}

void read_graphs(const Directory& directory, const codec::FieldInfos& infos, uint32_t max_doc) {
  const codec::HnswReader reader(directory, "_0", fuzz::kId, infos, max_doc);
  std::vector<uint32_t> neighbours;
  for (const codec::FieldInfo& info : infos.fields) {
    const codec::GraphEntry* entry = reader.find(info.number);
    if (entry == nullptr) continue;
    for (uint32_t level = 0; level < entry->levels; ++level) {
      try {
        for (uint64_t place = 0; place < entry->nodes(level); ++place)
          reader.read_neighbours(*entry, level, place, neighbours);
      } catch (const CorruptIndex&) {
      }
    }
  }
}

}  // namespace

// Input: a byte, whose lowest bit is the version of the graph's files; the documents and the
// lengths of the bodies of .vemf, .vec and .vem in 16 bits each; the bodies, that of .vex last.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 9) return 0;
  const uint32_t version = data[0] & 1;
  const uint32_t max_doc = load_le<uint16_t>(data + 1);
  std::span<const uint8_t> rest(data + 9, size - 9);
  std::span<const uint8_t> bodies[3];
  for (size_t i = 0; i < 3; ++i) {
    bodies[i] = rest.first(std::min<size_t>(load_le<uint16_t>(data + 3 + 2 * i), rest.size()));
    rest = rest.subspan(bodies[i].size());
  }
  const auto directory = memory_directory();
  write_file(*directory, codec::kVectorMetaExtension, codec::kVectorMetaCodec,
             codec::kVectorVersion, bodies[0]);
  write_file(*directory, codec::kVectorDataExtension, codec::kVectorDataCodec,
             codec::kVectorVersion, bodies[1]);
  write_file(*directory, codec::kGraphMetaExtension, codec::kGraphMetaCodec, version, bodies[2]);
  write_file(*directory, codec::kGraphDataExtension, codec::kGraphDataCodec, version, rest);
  const codec::FieldInfos infos = fields();
  for (const auto read : {read_vectors, read_graphs}) {
    try {
      read(*directory, infos, max_doc);
    } catch (const CorruptIndex&) {
    } catch (const NotSupported&) {
    }
  }
  return 0;
}
