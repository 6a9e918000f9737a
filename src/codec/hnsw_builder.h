// Builds the graph that Lucene 10.4 builds: docs/formats/40 §4, link for link wherever the scores
// are the same bits. Of bytes they are; of floats Lucene's own depend on the machine.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/hnsw_graph.h"
#include "codec/hnsw_search.h"
#include "codec/vector_scorer.h"

namespace postern::codec {

class HnswBuilder {
 public:
  // `scorer`, of at least one vector, must outlive the builder.
  explicit HnswBuilder(const VectorScorer& scorer, const HnswParameters& parameters = {});

  // Inserts all vectors in the order of their ordinals. Lists are in the order of HnswGraph::Links.
  HnswGraph build() &&;

  // What a graph and its making take for each vector, about.
  static uint64_t ram_bytes_per_vector(const HnswParameters& parameters = {}) {
    return HnswGraph::ram_bytes_per_vector(parameters) + HnswSearch::kBytesPerVector +
           VectorScorer::kMostBytesPerVector;
  }

 private:
  using Candidate = HnswSearch::Candidate;

  void insert(uint32_t node, uint32_t level);
  void connect(uint32_t node, uint32_t level, const std::vector<Candidate>& nearest);
  void select(uint32_t node, uint32_t level, const std::vector<Candidate>& nearest);
  void add_link(uint32_t level, uint32_t from, uint32_t to, float score);
  void sort_in_fresh();
  size_t link_to_drop(uint32_t newest);
  bool any_as_near(size_t link, size_t rivals, bool fresh_only, uint32_t newest);

  HnswParameters parameters_;
  const VectorScorer& scorer_;
  HnswGraph graph_;
  HnswSearch search_;
  uint32_t entry_ = 0;
  uint32_t top_ = 0;                             // level of the entry
  std::vector<std::vector<Candidate>> nearest_;  // by level, of the node being inserted

  // Of select: candidates not yet refused, and their scores to the one chosen last.
  std::vector<uint32_t> open_;
  std::vector<float> open_scores_;
  std::vector<float> between_;
  // A list with one link too many, while it is decided which goes.
  struct Link {
    uint32_t node;
    float score;
    bool fresh;
  };
  std::vector<Link> full_;
  std::vector<uint32_t> rivals_;
};

}  // namespace postern::codec
