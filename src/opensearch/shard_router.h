// Which shard of an index a document belongs to, as OpenSearch decides it:
//
//   shard = floorMod(h, R) / (R / N)
//
// where h is the signed 32-bit murmur3 (x86, seed 0) of the UTF-16LE bytes of the document's
// routing, or of its id if it has none; N is the number of shards and R the index's
// routing_num_shards.
#pragma once

#include <cstdint>
#include <string_view>

namespace postern::opensearch {

// OpenSearch allows no more.
inline constexpr uint32_t kMostShards = 1024;

// h. `text` is UTF-8, or WTF-8 with unpaired surrogates.
int32_t routing_hash(std::string_view text);

// OpenSearch's routing_num_shards where none is asked for: N times the largest power of two that
// leaves it at most 1024, but at least 2N.
uint32_t default_routing_shards(uint32_t shards);

class ShardRouter {
 public:
  // routing_shards: R; 0: the default. Throws InvalidArgument unless 1 <= shards <= kMostShards and
  // R is a multiple of it (in the range of a signed 32-bit number).
  explicit ShardRouter(uint32_t shards, uint32_t routing_shards = 0);

  uint32_t shards() const { return shards_; }
  uint32_t routing_shards() const { return routing_shards_; }
  // 0 ... shards() - 1.
  uint32_t shard_of(std::string_view routing_or_id) const;

 private:
  uint32_t shards_;
  uint32_t routing_shards_;
};

}  // namespace postern::opensearch
