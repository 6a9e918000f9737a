#include "codec/hnsw_graph.h"

#include <cmath>

namespace postern::codec {
namespace {

// SplitMix64 (docs/formats/40 §4).
class Random {
 public:
  double next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53;
  }

 private:
  uint64_t state_ = 42;
};

}  // namespace

bool wants_graph(uint32_t count, const HnswParameters& parameters) {
  if (parameters.threshold == 0) return count > 0;
  if (count == 0) return false;
  const auto visits = static_cast<uint32_t>(std::log(static_cast<double>(count)) *
                                            static_cast<double>(parameters.threshold));
  return visits > 0 && count > visits;
}

std::vector<std::vector<uint32_t>> draw_levels(uint32_t count, const HnswParameters& parameters) {
  const double scale =
      parameters.max_connections == 1 ? 1 : 1 / std::log(double{1} * parameters.max_connections);
  std::vector<std::vector<uint32_t>> upper;
  Random random;
  for (uint32_t node = 0; node < count; ++node) {
    double u = 0;
    while (u == 0) u = random.next();
    const auto level = static_cast<uint32_t>(-std::log(u) * scale);
    if (level > upper.size()) upper.resize(level);
    for (uint32_t l = 0; l < level; ++l) upper[l].push_back(node);
  }
  return upper;
}

HnswGraph::HnswGraph(uint32_t count, std::vector<std::vector<uint32_t>> upper,
                     uint32_t max_connections)
    : count_(count), max_connections_(max_connections), upper_(std::move(upper)) {
  upper_slots_.resize(count);
  uint32_t slots = 0;
  if (!upper_.empty()) {
    // A node's lists on all its levels lie together.
    std::vector<size_t> next(upper_.size(), 0);
    for (uint32_t node : upper_[0]) {
      upper_slots_[node] = slots;
      for (size_t l = 0; l < upper_.size() && next[l] < upper_[l].size(); ++l) {
        if (upper_[l][next[l]] != node) break;
        ++next[l];
        ++slots;
      }
    }
  }
  const uint64_t lists = uint64_t{count} + slots;
  nodes_.resize(start_of(lists));
  scores_.resize(start_of(lists));
  sizes_.resize(lists);
  ordered_.resize(lists);
}

uint64_t HnswGraph::ram_bytes() const {
  uint64_t bytes = upper_slots_.capacity() * sizeof(uint32_t) +
                   nodes_.capacity() * sizeof(uint32_t) + scores_.capacity() * sizeof(float) +
                   (sizes_.capacity() + ordered_.capacity()) * sizeof(uint16_t);
  for (const auto& level : upper_) bytes += level.capacity() * sizeof(uint32_t);
  return bytes;
}

uint64_t HnswGraph::ram_bytes_per_vector(const HnswParameters& parameters) {
  const uint64_t lists = 2 * parameters.max_connections + 2;  // one node in M is on level 1, ...
  return lists * (sizeof(uint32_t) + sizeof(float)) + 3 * sizeof(uint32_t);
}

}  // namespace postern::codec
