#include "codec/hnsw_builder.h"

#include <algorithm>
#include <ranges>

namespace postern::codec {

HnswBuilder::HnswBuilder(const VectorScorer& scorer, const HnswParameters& parameters)
    : parameters_(parameters),
      scorer_(scorer),
      graph_(scorer.count(), draw_levels(scorer.count(), parameters), parameters.max_connections),
      search_(scorer, graph_),
      nearest_(graph_.levels()) {}

HnswGraph HnswBuilder::build() && {
  std::vector<size_t> next(graph_.levels(), 0);  // of each level's nodes
  for (uint32_t node = 0; node < scorer_.count(); ++node) {
    uint32_t level = 0;
    while (level + 1 < graph_.levels() && next[level + 1] < graph_.nodes(level + 1).size() &&
           graph_.nodes(level + 1)[next[level + 1]] == node) {
      ++next[++level];
    }
    insert(node, level);
  }
  return std::move(graph_);
}

void HnswBuilder::insert(uint32_t node, uint32_t level) {
  if (node == 0) {
    top_ = level;
    return;
  }
  std::vector<Candidate> start(1, {entry_, 0});
  scorer_.score(node, &entry_, 1, &start[0].score);
  for (uint32_t l = top_; l > level; --l) search_.run(node, l, 1, start);
  const uint32_t shared = std::min(level, top_);
  const std::vector<Candidate>* starts = &start;
  for (uint32_t l = shared + 1; l-- > 0;) {
    nearest_[l] = *starts;
    search_.run(node, l, parameters_.beam_width, nearest_[l]);
    starts = &nearest_[l];
  }
  for (uint32_t l = 0; l <= shared; ++l) connect(node, l, nearest_[l]);
  if (level > top_) {
    entry_ = node;
    top_ = level;
  }
}

void HnswBuilder::connect(uint32_t node, uint32_t level, const std::vector<Candidate>& nearest) {
  select(node, level, nearest);
  const HnswGraph::Links own = graph_.links(level, node);
  for (size_t i = *own.size; i-- > 0;) add_link(level, own.nodes[i], node, own.scores[i]);
}

// A candidate is refused when one that was chosen before is at least as near to it as the new node.
// Each choice is compared at once with all candidates that are left.
void HnswBuilder::select(uint32_t node, uint32_t level, const std::vector<Candidate>& nearest) {
  const HnswGraph::Links own = graph_.links(level, node);
  const uint32_t limit = graph_.limit(level);
  size_t left = nearest.size();
  open_.resize(left);
  open_scores_.resize(left);
  between_.resize(left);
  for (size_t i = 0; i < left; ++i) {
    open_[i] = nearest[i].node;
    open_scores_[i] = nearest[i].score;
  }
  uint16_t chosen = 0;
  for (size_t at = 0; at < left;) {
    const uint32_t choice = open_[at];
    own.nodes[chosen] = choice;
    own.scores[chosen] = open_scores_[at];
    ++at;
    if (++chosen == limit) break;
    scorer_.score(choice, open_.data() + at, left - at, between_.data());
    size_t kept = at;
    for (size_t i = at; i < left; ++i) {
      open_[kept] = open_[i];
      open_scores_[kept] = open_scores_[i];
      kept += !(between_[i - at] >= open_scores_[i]);
    }
    left = kept;
  }
  *own.size = *own.ordered = chosen;
}

// Links `from` to the node being inserted.
void HnswBuilder::add_link(uint32_t level, uint32_t from, uint32_t to, float score) {
  const HnswGraph::Links links = graph_.links(level, from);
  const uint16_t size = *links.size;
  if (size < graph_.limit(level)) {
    links.nodes[size] = to;
    links.scores[size] = score;
    *links.size = static_cast<uint16_t>(size + 1);
    return;
  }
  full_.clear();
  for (uint16_t i = 0; i < size; ++i) {
    full_.push_back({links.nodes[i], links.scores[i], i >= *links.ordered});
  }
  full_.push_back({to, score, true});
  sort_in_fresh();
  full_.erase(full_.begin() + static_cast<ptrdiff_t>(link_to_drop(to)));
  for (uint16_t i = 0; i < size; ++i) {
    links.nodes[i] = full_[i].node;
    links.scores[i] = full_[i].score;
  }
  *links.ordered = size;
}

void HnswBuilder::sort_in_fresh() {
  const auto first = std::ranges::find(full_, true, &Link::fresh);
  for (auto at = first; at != full_.end(); ++at) {
    const Link link = *at;
    const auto place = std::ranges::find_if(full_.begin(), at,
                                            [&](const Link& l) { return l.score < link.score; });
    std::move_backward(place, at, at + 1);
    *place = link;
  }
}

// The worst link that another, better one makes needless; else the worst. Only pairs with a fresh
// link are looked at: the others were when their list was full before.
size_t HnswBuilder::link_to_drop(uint32_t newest) {
  size_t fresh = 0;  // of full_[0] .. full_[i]
  for (const Link& link : full_) fresh += link.fresh;
  for (size_t i = full_.size() - 1; i > 0 && fresh > 0; --i) {
    if (any_as_near(i, i, !full_[i].fresh, newest)) return i;
    fresh -= full_[i].fresh;
  }
  return full_.size() - 1;
}

// Whether one of the links before `link` is at least as near to it as the owner of the list.
bool HnswBuilder::any_as_near(size_t link, size_t rivals, bool fresh_only, uint32_t newest) {
  const auto [node, score, fresh] = full_[link];
  rivals_.clear();
  for (size_t i = rivals; i-- > 0;) {
    if (fresh_only && !full_[i].fresh) continue;
    const uint32_t rival = full_[i].node;
    // The search for the newest node has mostly seen the other links of those it is linked with.
    if (rival == newest && search_.saw(node)) {
      if (search_.score_of(node) >= score) return true;
    } else if (node == newest && search_.saw(rival)) {
      if (search_.score_of(rival) >= score) return true;
    } else {
      rivals_.push_back(rival);
    }
  }
  constexpr size_t kGroup = 8;
  float scores[kGroup];
  for (size_t i = 0; i < rivals_.size(); i += kGroup) {
    const size_t n = std::min(kGroup, rivals_.size() - i);
    scorer_.score(node, rivals_.data() + i, n, scores);
    for (size_t k = 0; k < n; ++k) {
      if (scores[k] >= score) return true;
    }
  }
  return false;
}

}  // namespace postern::codec
