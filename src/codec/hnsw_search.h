// Best-first search of one level of a graph that is being built (docs/formats/40 §4).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "codec/hnsw_graph.h"
#include "codec/vector_scorer.h"

namespace postern::codec {

// Keeps the best nodes in one descending array with a mark on those whose links were followed: the
// queue of nodes to follow is the unmarked ones, so a node is put in place once instead of into two
// heaps. What the array drops could only be followed at a tie, and is kept aside then.
class HnswSearch {
 public:
  struct Candidate {
    uint32_t node;
    float score;
  };

  // Both must outlive it.
  HnswSearch(const VectorScorer& scorer, const HnswGraph& graph);

  // The `keep` nodes of a level that are nearest to node `query`, as far as links lead there from
  // `starts` (at least one and at most `keep`); nearest first, at a tie the lower node.
  void run(uint32_t query, uint32_t level, uint32_t keep,
           std::vector<Candidate>& starts_and_result);

  // Whether the last search saw `node`, and then the score of its query and the node.
  bool saw(uint32_t node) const { return seen_[node] == mark_; }
  float score_of(uint32_t node) const { return scores_[node]; }

  // What it takes of memory.
  static constexpr uint64_t kBytesPerVector = sizeof(uint8_t) + sizeof(float);

 private:
  // Descending keys are descending scores, then ascending nodes; the lowest bit is the mark.
  using Key = uint64_t;
  static Key key_of(uint32_t node, float score) {
    // Real scores are not negative, so their bits ascend with them; 0 is for kNoScore.
    const uint32_t order = score < 0 ? 0 : std::bit_cast<uint32_t>(score + 0.0f) | 0x80000000;
    return Key{order} << 32 | Key{kLastNode - node} << 1;
  }
  static uint32_t order_of(Key key) { return static_cast<uint32_t>(key >> 32); }
  static uint32_t node_of(Key key) { return kLastNode - (static_cast<uint32_t>(key) >> 1); }
  static float score_of_key(Key key) {
    const uint32_t order = order_of(key);
    return order == 0 ? kNoScore : std::bit_cast<float>(order & 0x7fffffff);
  }
  static constexpr uint32_t kLastNode = 0x7fffffff;
  static constexpr Key kFollowed = 1;

  void next_mark();
  void follow(uint32_t query, uint32_t level, uint32_t node);
  void insert(Key key);

  const VectorScorer& scorer_;
  const HnswGraph& graph_;
  std::vector<uint8_t> seen_;  // by node: mark_ of the search that saw it last
  uint8_t mark_ = 0;
  std::vector<float> scores_;  // by node, of the search that saw it last

  std::vector<Key> best_;  // descending, size_ of them
  size_t size_ = 0;
  size_t keep_ = 0;
  size_t next_ = 0;  // no node before it is unmarked
  // Worst score in a full best_, as order_of; -1 while it has room.
  int64_t worst_ = -1;
  bool try_equal_ = true;     // a node as good as the worst may be followed, once for each worst
  std::vector<Key> dropped_;  // as good as the worst, and not followed
  std::vector<uint32_t> batch_;
  std::vector<float> batch_scores_;
};

}  // namespace postern::codec
