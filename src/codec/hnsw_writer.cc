#include "codec/hnsw_writer.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "codec/direct_monotonic.h"
#include "codec/postings_group_varint.h"
#include "codec/vector_format.h"
#include "codec/vector_writer.h"

namespace postern::codec {
namespace {

struct Node {
  uint32_t ord;
  uint32_t node;  // in the graph
  auto operator<=>(const Node&) const = default;
};

// The nodes of a level by ascending ordinal.
void list_nodes(const HnswGraph& graph, uint32_t level, std::span<const uint32_t> ords,
                std::vector<Node>& out) {
  out.clear();
  auto add = [&](uint32_t node) { out.push_back({ords.empty() ? node : ords[node], node}); };
  if (level == 0) {
    for (uint32_t node = 0; node < graph.count(); ++node) add(node);
  } else {
    for (uint32_t node : graph.nodes(level)) add(node);
  }
  if (!ords.empty()) std::ranges::sort(out);
}

}  // namespace

HnswWriter::HnswWriter(const SegmentContext& context)
    : data_(context.directory, segment_file(context.segment, kVectorSuffix, kGraphDataExtension)),
      meta_(context.directory, segment_file(context.segment, kVectorSuffix, kGraphMetaExtension)) {
  store::write_index_header(data_, kGraphDataCodec, kGraphVersion, context.id, kVectorSuffix);
  store::write_index_header(meta_, kGraphMetaCodec, kGraphVersion, context.id, kVectorSuffix);
}

void HnswWriter::add_field(const FieldInfo& field, uint32_t count, const HnswGraph* graph,
                           std::span<const uint32_t> ords) {
  assert(graph == nullptr || graph->count() == count);
  const uint64_t offset = data_.file_pointer();
  std::vector<uint64_t> starts;
  std::vector<std::vector<uint32_t>> upper;
  std::vector<Node> nodes;
  for (uint32_t level = 0; graph != nullptr && level < graph->levels(); ++level) {
    list_nodes(*graph, level, ords, nodes);
    if (level > 0) upper.emplace_back();
    for (const Node& node : nodes) {
      if (level > 0) upper.back().push_back(node.ord);
      starts.push_back(data_.file_pointer() - offset);
      write_list(graph->neighbours(level, node.node), ords);
    }
  }
  write_vector_field(field, offset, data_.file_pointer() - offset, count, meta_);
  meta_.write_vint(graph == nullptr ? HnswParameters().max_connections : graph->max_connections());
  meta_.write_vint(graph == nullptr ? 0 : graph->levels());
  if (graph == nullptr) return;
  for (const std::vector<uint32_t>& level : upper) {
    meta_.write_vint(static_cast<uint32_t>(level.size()));
    uint32_t last = 0;
    for (uint32_t ord : level) meta_.write_vint(ord - std::exchange(last, ord));
  }
  const uint64_t offsets = data_.file_pointer();
  meta_.write_le64(offsets);
  meta_.write_vint(kVectorBlockShift);
  DirectMonotonicWriter monotonic(meta_, data_, kVectorBlockShift);
  for (uint64_t start : starts) monotonic.add(static_cast<int64_t>(start));
  monotonic.finish();
  meta_.write_le64(data_.file_pointer() - offsets);
}

void HnswWriter::write_list(std::span<const uint32_t> neighbours, std::span<const uint32_t> ords) {
  list_.assign(neighbours.begin(), neighbours.end());
  if (!ords.empty()) {
    for (uint32_t& node : list_) node = ords[node];
  }
  std::ranges::sort(list_);
  list_.erase(std::ranges::unique(list_).begin(), list_.end());
  std::adjacent_difference(list_.begin(), list_.end(), list_.begin());
  const auto n = static_cast<uint32_t>(list_.size());
  encoded_.resize(5 + max_group_varint_bytes(n) + 3);
  uint8_t* end = put_group_varint(put_vint(encoded_.data(), n), list_.data(), n);
  data_.write_bytes({encoded_.data(), end});
}

void HnswWriter::close() {
  meta_.write_le32(kVectorEnd);
  for (store::IndexOutput* out : {&data_, &meta_}) {
    store::write_footer(*out);
    out->close();
  }
}

}  // namespace postern::codec
