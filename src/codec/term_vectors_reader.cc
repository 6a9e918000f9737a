#include "codec/term_vectors_reader.h"

namespace postern::codec {
namespace {

constexpr ChunkFilesFormat kFiles = {{"tvd", kTermVectorsDataCodec, kTermVectorsVersion},
                                     {"tvx", kTermVectorsIndexCodec, kTermVectorsVersion},
                                     {"tvm", kTermVectorsMetaCodec, kTermVectorsVersion}};

}  // namespace

TermVectorsReader::TermVectorsReader(const Directory& directory, const std::string& segment,
                                     const store::ObjectId& id, uint32_t max_doc)
    : index_(directory, segment, id, kFiles, max_doc) {
  ByteReader& meta = index_.meta();
  const uint32_t packed_version = meta.read_vint();
  const uint32_t chunk_size = meta.read_vint();
  if (packed_version != kPackedIntsVersion || chunk_size == 0)
    meta.fail("PackedInts version " + std::to_string(packed_version) + ", chunk size " +
              std::to_string(chunk_size));
  index_.read_index();
}

void TermVectorsReader::load_chunk(uint32_t doc) {
  const uint64_t chunk = index_.find(doc);
  decoded_ = false;
  ByteReader in = index_.open_chunk(chunk);
  content_.decode(in);
  index_.check_chunk(in, chunk, content_.doc_base(), content_.documents(), doc);
  decoded_ = true;
}

}  // namespace postern::codec
