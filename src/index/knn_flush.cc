#include "index/knn_flush.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "codec/hnsw_builder.h"
#include "codec/hnsw_writer.h"
#include "codec/vector_format.h"
#include "codec/vector_writer.h"

namespace postern::index {
namespace {

// Ordinals follow the documents: in a sorted segment they are not the order of arrival.
struct SortedOrder {
  std::vector<uint32_t> docs;     // by ordinal
  std::vector<uint32_t> arrival;  // by ordinal
  std::vector<uint32_t> ords;     // by arrival

  SortedOrder(std::span<const uint32_t> old_docs, std::span<const uint32_t> new_docs)
      : docs(old_docs.size()), arrival(old_docs.size()), ords(old_docs.size()) {
    std::iota(arrival.begin(), arrival.end(), uint32_t{0});
    std::ranges::sort(arrival, {}, [&](uint32_t i) { return new_docs[old_docs[i]]; });
    for (uint32_t ord = 0; ord < arrival.size(); ++ord) {
      docs[ord] = new_docs[old_docs[arrival[ord]]];
      ords[arrival[ord]] = ord;
    }
  }
};

}  // namespace

void write_vectors(const codec::SegmentContext& context, std::span<const BufferedVectors> fields,
                   std::vector<std::string>& files, std::span<const uint32_t> new_docs) {
  if (fields.empty()) return;
  codec::VectorWriter flat(context);
  codec::HnswWriter graphs(context);
  for (const auto& [info, buffer] : fields) {
    const codec::VectorRows rows{buffer->vectors(), buffer->size(), info->vector_dimension,
                                 info->vector_encoding};
    std::optional<SortedOrder> sorted;
    if (!new_docs.empty()) sorted.emplace(buffer->docs(), new_docs);
    const bool all = rows.count == context.max_doc;
    flat.add_field(*info, {sorted ? sorted->docs : buffer->docs(), all}, rows,
                   sorted ? sorted->arrival : std::span<const uint32_t>());
    if (codec::wants_graph(rows.count)) {
      // Lucene inserts vectors as they come, so a sorted segment has the same graph, relabelled.
      const codec::VectorScorer scorer(rows, info->vector_similarity);
      const codec::HnswGraph graph = codec::HnswBuilder(scorer).build();
      graphs.add_field(*info, rows.count, &graph,
                       sorted ? sorted->ords : std::span<const uint32_t>());
    } else {
      graphs.add_field(*info, rows.count, nullptr);
    }
    info->attributes.emplace_back(codec::kVectorFormatKey, codec::kVectorFormatName);
    info->attributes.emplace_back(codec::kVectorSuffixKey, codec::kVectorSuffixValue);
    buffer->release();
  }
  flat.close();
  graphs.close();
  for (const std::string& name : flat.files()) files.push_back(name);
  for (const std::string& name : graphs.files()) files.push_back(name);
}

}  // namespace postern::index
