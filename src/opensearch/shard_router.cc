#include "opensearch/shard_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "postern/error.h"

namespace postern::opensearch {
namespace {

// Murmur3 of a stream of 16-bit units, each its low byte first.
class UnitHash {
 public:
  void add(uint32_t unit) {
    if (units_++ % 2 == 0) {
      pending_ = unit;
      return;
    }
    hash_ ^= mixed(pending_ | unit << 16);
    hash_ = std::rotl(hash_, 13) * 5 + 0xE6546B64u;
  }

  uint32_t finish() {
    if (units_ % 2 != 0) hash_ ^= mixed(pending_);
    uint32_t h = hash_ ^ units_ * 2;
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
  }

 private:
  static uint32_t mixed(uint32_t k) { return std::rotl(k * 0xCC9E2D51u, 15) * 0x1B873593u; }

  uint32_t hash_ = 0;
  uint32_t pending_ = 0;
  uint32_t units_ = 0;
};

}  // namespace

int32_t routing_hash(std::string_view text) {
  UnitHash hash;
  size_t at = 0;
  const auto next = [&] { return at < text.size() ? static_cast<uint8_t>(text[at++]) & 0x3Fu : 0; };
  while (at < text.size()) {
    const uint32_t lead = static_cast<uint8_t>(text[at++]);
    if (lead < 0x80) {
      hash.add(lead);
    } else if (lead < 0xE0) {
      hash.add((lead & 0x1F) << 6 | next());
    } else if (lead < 0xF0) {
      const uint32_t middle = next();
      hash.add((lead & 0x0F) << 12 | middle << 6 | next());
    } else {
      const uint32_t second = next();
      const uint32_t third = next();
      const uint32_t c = ((lead & 0x07) << 18 | second << 12 | third << 6 | next()) - 0x10000;
      hash.add(0xD800 | (c >> 10 & 0x3FF));
      hash.add(0xDC00 | (c & 0x3FF));
    }
  }
  return static_cast<int32_t>(hash.finish());
}

uint32_t default_routing_shards(uint32_t shards) {
  const int log = std::bit_width(shards - 1);  // rounded up
  return shards << std::max(1, 10 - log);
}

ShardRouter::ShardRouter(uint32_t shards, uint32_t routing_shards)
    : shards_(shards), routing_shards_(routing_shards) {
  if (shards == 0 || shards > kMostShards) {
    throw InvalidArgument(fmt::format("an index has 1 to {} shards, not {}", kMostShards, shards));
  }
  if (routing_shards_ == 0) routing_shards_ = default_routing_shards(shards);
  if (routing_shards_ % shards != 0 ||
      routing_shards_ > static_cast<uint32_t>(std::numeric_limits<int32_t>::max())) {
    throw InvalidArgument(fmt::format(
        "the number of routing shards ({}) must be a multiple of the number of shards ({})",
        routing_shards_, shards));
  }
}

uint32_t ShardRouter::shard_of(std::string_view routing_or_id) const {
  const int64_t divisor = routing_shards_;
  int64_t rest = routing_hash(routing_or_id) % divisor;
  if (rest < 0) rest += divisor;
  return static_cast<uint32_t>(rest) / (routing_shards_ / shards_);
}

}  // namespace postern::opensearch
