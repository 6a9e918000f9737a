#include "codec/hnsw_reader.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "codec/postings_group_varint.h"
#include "codec/segment_context.h"
#include "codec/vector_format.h"

namespace postern::codec {
namespace {

// One level's nodes; `below`: those of the level under it, null for level 0.
std::vector<uint32_t> read_nodes(ByteReader& meta, uint32_t count,
                                 const std::vector<uint32_t>* below) {
  std::vector<uint32_t> nodes(meta.read_count());
  if (nodes.empty()) meta.fail("a level of a graph without a node");
  uint64_t node = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const uint32_t more = meta.read_vint();
    node += more;
    if ((i > 0 && more == 0) || node >= count ||
        (below != nullptr && !std::ranges::binary_search(*below, static_cast<uint32_t>(node))))
      meta.fail("node " + std::to_string(node) + " of " + std::to_string(count) +
                " where it cannot be in a level of a graph");
    nodes[i] = static_cast<uint32_t>(node);
  }
  return nodes;
}

}  // namespace

HnswReader::HnswReader(const Directory& directory, const std::string& segment,
                       const store::ObjectId& id, const FieldInfos& infos, uint32_t max_doc)
    : meta_name_(segment_file(segment, kVectorSuffix, kGraphMetaExtension)),
      data_name_(segment_file(segment, kVectorSuffix, kGraphDataExtension)),
      data_file_(directory.open(data_name_)),
      meta_file_(directory.open(meta_name_)) {
  ByteReader data(data_file_->bytes(), data_name_);
  version_ = store::check_index_header(
      data, {kGraphDataCodec, kPlainGraphVersion, kGraphVersion, &id, kVectorSuffix});
  store::check_footer(data_file_->bytes(), data_name_, false);
  uint32_t version = 0;
  ByteReader meta = store::open_whole(
      meta_file_->bytes(), meta_name_,
      {kGraphMetaCodec, kPlainGraphVersion, kGraphVersion, &id, kVectorSuffix}, &version);
  if (version != version_)
    meta.fail("version " + std::to_string(version) + ", its data has " + std::to_string(version_));
  const uint64_t size = data_file_->bytes().size() - store::kFooterLength;
  read_vector_fields(meta, infos, max_doc, size, [&](const VectorField& field) {
    GraphEntry entry{field, 0, 0, {}, {}, 0};
    read_graph(meta, entry);
    entries_.push_back(std::move(entry));
  });
}

void HnswReader::read_graph(ByteReader& meta, GraphEntry& entry) const {
  entry.max_connections = meta.read_vint();
  entry.levels = meta.read_count();
  if ((entry.levels == 0) != (entry.length == 0) || (entry.levels != 0 && entry.count == 0))
    meta.fail("a graph of " + std::to_string(entry.levels) + " levels over " +
              std::to_string(entry.count) + " vectors in " + std::to_string(entry.length) +
              " bytes");
  if (entry.levels == 0) return;
  uint64_t lists = entry.count;
  for (uint32_t level = 1; level < entry.levels; ++level) {
    const auto* below = level == 1 ? nullptr : &entry.upper.back();
    std::vector<uint32_t> nodes = read_nodes(meta, entry.count, below);
    lists += nodes.size();
    entry.upper.push_back(std::move(nodes));
  }
  const uint64_t offset = meta.read_le64();
  const uint32_t shift = meta.read_vint();
  if (shift < 2 || shift > 22) meta.fail("a block shift of " + std::to_string(shift));
  entry.starts = DirectMonotonicReader::read_meta(meta, lists, shift);
  const uint64_t length = meta.read_le64();
  const uint64_t size = data_file_->bytes().size() - store::kFooterLength;
  if (offset > size || length > size - offset) meta.fail("starts of lists beyond the data");
  entry.starts_length = length;
  entry.starts.bind(data_file_->bytes().subspan(offset, length), data_name_);
}

const GraphEntry* HnswReader::find(uint32_t field_number) const {
  const auto at = std::ranges::find(entries_, field_number, &GraphEntry::number);
  return at == entries_.end() ? nullptr : &*at;
}

uint64_t HnswReader::data_size() const { return data_file_->bytes().size() - store::kFooterLength; }

HnswReader::Range HnswReader::read_neighbours(const GraphEntry& entry, uint32_t level,
                                              uint64_t place, std::vector<uint32_t>& out) const {
  uint64_t list = place;
  for (uint32_t l = 0; l < level; ++l) list += entry.nodes(l);
  ByteReader in(data_file_->bytes().subspan(entry.offset, entry.length), data_name_);
  in.seek(static_cast<uint64_t>(entry.starts.get(list)));
  const uint64_t begin = in.position();
  const uint32_t n = in.read_count();
  if (n > 2 * uint64_t{entry.max_connections})
    in.fail(std::to_string(n) + " neighbours of a node, the graph has at most " +
            std::to_string(2 * uint64_t{entry.max_connections}));
  out.resize(n);
  if (version_ == kPlainGraphVersion) {
    for (uint32_t& more : out) more = in.read_vint();
  } else {
    read_group_varint(in, out.data(), n);
  }
  uint64_t node = 0;
  for (uint32_t i = 0; i < n; ++i) {
    node += out[i];
    if ((i > 0 && out[i] == 0) || node >= entry.count ||
        (level > 0 &&
         !std::ranges::binary_search(entry.upper[level - 1], static_cast<uint32_t>(node))))
      in.fail("a neighbour " + std::to_string(node) + " that is no node of level " +
              std::to_string(level));
    out[i] = static_cast<uint32_t>(node);
  }
  return {begin, in.position()};
}

}  // namespace postern::codec
