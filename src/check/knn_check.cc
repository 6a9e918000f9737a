// KNN vectors and their graphs (docs/formats/40): as many of both, documents told in both ways,
// lists of neighbours that lie one after another.
#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "check/parts.h"
#include "codec/segment_context.h"
#include "codec/vector_format.h"

namespace postern::check {
namespace {

constexpr const char* kPart = "KNN vectors";

class KnnCheck {
 public:
  explicit KnnCheck(const Part& part) : part_(part) {}

  Counts run() {
    part_.guarded(kPart, [&] {
      const codec::VectorReader* vectors = part_.segment.knn_vectors();
      if (vectors == nullptr) return;
      refuse_overlaps(*vectors, *part_.segment.knn_graphs());
      for (const codec::FieldInfo& field : part_.segment.core_fields().fields) {
        const codec::VectorEntry* entry = vectors->find(field.number);
        if (entry == nullptr) continue;
        part_.guarded(
            kPart, [&] { check_vectors(*vectors, *entry, field); }, &field);
        part_.guarded(
            kPart, [&] { check_graph(*entry, field); }, &field);
      }
    });
    return {{"knn_vectors", vectors_}, {"graph_links", links_}};
  }

 private:
  std::string file(const char* extension) const {
    return codec::segment_file(part_.name(), codec::kVectorSuffix, extension);
  }

  // No two fields share bytes; so all of them cost no more than their files.
  void refuse_overlaps(const codec::VectorReader& vectors, const codec::HnswReader& graphs) const {
    uint64_t flat = 0;
    uint64_t lists = 0;
    for (const codec::FieldInfo& field : part_.segment.core_fields().fields) {
      if (const codec::VectorEntry* entry = vectors.find(field.number))
        flat += entry->length + entry->addresses_length +
                (entry->docs.offset >= 0 ? entry->docs.length : 0);
      if (const codec::GraphEntry* entry = graphs.find(field.number))
        lists += entry->length + entry->starts_length;
    }
    if (flat > vectors.data_size())
      throw CorruptIndex(file(codec::kVectorMetaExtension) + ": vectors of fields overlap");
    if (lists > graphs.data_size())
      throw CorruptIndex(file(codec::kGraphMetaExtension) + ": graphs of fields overlap");
  }

  void check_vectors(const codec::VectorReader& reader, const codec::VectorEntry& entry,
                     const codec::FieldInfo& field) {
    vectors_ += entry.count;
    reader.check_jumps(entry);
    std::vector<uint32_t> docs;
    docs.reserve(entry.count);
    reader.visit_docs(entry, [&](uint32_t doc) { docs.push_back(doc); });
    if (entry.encoding != VectorEncoding::kFloat32) return;
    // Lucene refuses such values where a field is made, but not where its value is replaced.
    const std::span<const uint8_t> all = reader.vectors(entry);
    for (size_t at = 0; at < all.size(); at += 4) {
      if (std::isfinite(std::bit_cast<float>(load_le<uint32_t>(all.data() + at)))) continue;
      part_.findings.note(part_.name() + ": the vector of field '" + field.name + "' in document " +
                          std::to_string(docs[at / 4 / entry.dimension]) +
                          " has a component that is not finite");
      return;
    }
  }

  void check_graph(const codec::VectorEntry& vectors, const codec::FieldInfo& field) {
    const codec::HnswReader& reader = *part_.segment.knn_graphs();
    const codec::GraphEntry& graph = *reader.find(field.number);
    if (graph.count != vectors.count)
      throw CorruptIndex(file(codec::kGraphMetaExtension) + ": field '" + field.name +
                         "' has a graph of " + std::to_string(graph.count) + " nodes and " +
                         std::to_string(vectors.count) + " vectors");
    std::vector<uint32_t> neighbours;
    uint64_t links = 0;
    uint64_t behind = 0;
    for (uint32_t level = 0; level < graph.levels; ++level) {
      for (uint64_t place = 0; place < graph.nodes(level); ++place) {
        const auto [begin, end] = reader.read_neighbours(graph, level, place, neighbours);
        if (begin < behind)
          throw CorruptIndex(file(codec::kGraphDataExtension) + ": field '" + field.name +
                             "': the neighbours of node " +
                             std::to_string(level == 0 ? place : graph.upper[level - 1][place]) +
                             " on level " + std::to_string(level) + " overlap those before");
        behind = end;
        links += neighbours.size();
      }
    }
    links_ += links;
    if (graph.levels != 0 && graph.count > 1 && links == 0)
      part_.findings.note(part_.name() + ": the graph of field '" + field.name +
                          "' has no links: searches find one document of " +
                          std::to_string(graph.count));
  }

  const Part& part_;
  uint64_t vectors_ = 0;
  uint64_t links_ = 0;
};

}  // namespace

Counts check_knn_vectors(const Part& part) { return KnnCheck(part).run(); }

}  // namespace postern::check
