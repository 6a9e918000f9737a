// A hierarchical navigable small world graph over the vectors of one field (docs/formats/40 §3-4):
// every node is on level 0, some are on more levels, and on each of its levels a node has links to
// others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace postern::codec {

struct HnswParameters {
  uint32_t max_connections = 16;  // links of a node; twice as many on level 0
  uint32_t beam_width = 100;      // nearest nodes looked for when one is inserted
  uint32_t threshold = 100;       // larger: fewer small fields get a graph; 0: all get one
};

// Whether Lucene gives a field of `count` vectors a graph.
bool wants_graph(uint32_t count, const HnswParameters& parameters = {});

// The levels that Lucene draws for `count` nodes: nodes of level 1, 2, ..., each ascending.
std::vector<std::vector<uint32_t>> draw_levels(uint32_t count, const HnswParameters& parameters);

class HnswGraph {
 public:
  // No links yet. `upper`: as draw_levels returns them.
  HnswGraph(uint32_t count, std::vector<std::vector<uint32_t>> upper, uint32_t max_connections);

  uint32_t count() const { return count_; }
  uint32_t levels() const { return static_cast<uint32_t>(upper_.size()) + 1; }
  uint32_t max_connections() const { return max_connections_; }
  // Nodes of a level above 0, ascending.
  std::span<const uint32_t> nodes(uint32_t level) const { return upper_[level - 1]; }
  uint32_t limit(uint32_t level) const {
    return level == 0 ? 2 * max_connections_ : max_connections_;
  }

  // The links of a node on a level it is on. The first `ordered` of them have descending scores
  // and were in that order when the list was last full; the others stand as they came.
  struct Links {
    uint32_t* nodes;
    float* scores;  // to the node that has the links
    uint16_t* size;
    uint16_t* ordered;
  };
  Links links(uint32_t level, uint32_t node) {
    const uint64_t slot = slot_of(level, node);
    const uint64_t at = start_of(slot);
    return {nodes_.data() + at, scores_.data() + at, &sizes_[slot], &ordered_[slot]};
  }
  std::span<const uint32_t> neighbours(uint32_t level, uint32_t node) const {
    const uint64_t slot = slot_of(level, node);
    return {nodes_.data() + start_of(slot), sizes_[slot]};
  }

  uint64_t ram_bytes() const;
  // What a graph will take for each vector, about.
  static uint64_t ram_bytes_per_vector(const HnswParameters& parameters = {});

 private:
  // Lists of level 0 come first, one for each node, then those of the upper levels node by node.
  uint64_t slot_of(uint32_t level, uint32_t node) const {
    return level == 0 ? node : uint64_t{count_} + upper_slots_[node] + level - 1;
  }
  uint64_t start_of(uint64_t slot) const {
    return slot < count_ ? slot * 2 * max_connections_ : (slot + count_) * max_connections_;
  }

  uint32_t count_;
  uint32_t max_connections_;
  std::vector<std::vector<uint32_t>> upper_;
  std::vector<uint32_t> upper_slots_;  // of level 1; unset for nodes of level 0 alone
  std::vector<uint32_t> nodes_;
  std::vector<float> scores_;
  std::vector<uint16_t> sizes_;
  std::vector<uint16_t> ordered_;
};

}  // namespace postern::codec
