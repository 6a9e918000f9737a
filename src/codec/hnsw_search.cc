#include "codec/hnsw_search.h"

#include <algorithm>
#include <cstring>

namespace postern::codec {

HnswSearch::HnswSearch(const VectorScorer& scorer, const HnswGraph& graph)
    : scorer_(scorer), graph_(graph), seen_(graph.count()), scores_(graph.count()) {
  batch_.resize(graph.limit(0));
  batch_scores_.resize(graph.limit(0));
}

void HnswSearch::next_mark() {
  if (++mark_ != 0) return;
  std::ranges::fill(seen_, uint8_t{0});
  mark_ = 1;
}

void HnswSearch::run(uint32_t query, uint32_t level, uint32_t keep,
                     std::vector<Candidate>& starts_and_result) {
  next_mark();
  keep_ = keep;
  if (best_.size() < keep) best_.resize(keep);
  size_ = 0;
  for (const Candidate& start : starts_and_result) {
    best_[size_++] = key_of(start.node, start.score);
    seen_[start.node] = mark_;
    scores_[start.node] = start.score;
  }
  std::sort(best_.begin(), best_.begin() + static_cast<ptrdiff_t>(size_), std::greater<>());
  next_ = 0;
  worst_ = size_ == keep_ ? int64_t{order_of(best_[size_ - 1])} : -1;
  try_equal_ = true;
  dropped_.clear();
  for (;;) {
    while (next_ < size_ && (best_[next_] & kFollowed) != 0) ++next_;
    // One that was dropped is only ever as good as the worst that is kept.
    Key* top = next_ < size_ ? &best_[next_] : nullptr;
    auto aside = std::ranges::max_element(dropped_);
    const bool from_aside = aside != dropped_.end() && (top == nullptr || *aside > *top);
    if (from_aside) top = &*aside;
    if (top == nullptr) break;
    const int64_t order = order_of(*top);
    if (order <= worst_) {
      if (order < worst_ || !try_equal_) break;
      try_equal_ = false;
    }
    const uint32_t node = node_of(*top);
    if (from_aside) {
      dropped_.erase(aside);
    } else {
      *top |= kFollowed;
    }
    follow(query, level, node);
  }
  starts_and_result.clear();
  for (size_t i = 0; i < size_; ++i) {
    starts_and_result.push_back({node_of(best_[i]), score_of_key(best_[i])});
  }
}

void HnswSearch::follow(uint32_t query, uint32_t level, uint32_t node) {
  size_t n = 0;
  for (uint32_t neighbour : graph_.neighbours(level, node)) {
    batch_[n] = neighbour;
    n += seen_[neighbour] != mark_;
    seen_[neighbour] = mark_;
  }
  scorer_.score(query, batch_.data(), n, batch_scores_.data());
  for (size_t i = 0; i < n; ++i) {
    scores_[batch_[i]] = batch_scores_[i];
    const Key key = key_of(batch_[i], batch_scores_[i]);
    if (int64_t{order_of(key)} > worst_) insert(key);
  }
}

void HnswSearch::insert(Key key) {
  const auto begin = best_.begin();
  auto at = std::lower_bound(begin, begin + static_cast<ptrdiff_t>(size_), key, std::greater<>());
  Key last = 0;
  const bool full = size_ == keep_;
  if (full) {
    last = best_[size_ - 1];
  } else {
    ++size_;
  }
  std::memmove(&*at + 1, &*at,
               sizeof(Key) * static_cast<size_t>(begin + static_cast<ptrdiff_t>(size_) - at - 1));
  *at = key;
  next_ = std::min(next_, static_cast<size_t>(at - begin));
  if (size_ < keep_) return;
  const int64_t worst = order_of(best_[size_ - 1]);
  if (worst > worst_) {
    worst_ = worst;
    try_equal_ = true;
    dropped_.clear();
  } else if (full && (last & kFollowed) == 0) {
    dropped_.push_back(last);
  }
}

}  // namespace postern::codec
