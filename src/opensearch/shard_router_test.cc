#include "opensearch/shard_router.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "postern/error.h"

namespace postern::opensearch {
namespace {

TEST(ShardRouter, RoutingShardsAreOpenSearchsDefault) {
  EXPECT_EQ(default_routing_shards(1), 1024U);
  EXPECT_EQ(default_routing_shards(2), 1024U);
  EXPECT_EQ(default_routing_shards(3), 768U);
  EXPECT_EQ(default_routing_shards(5), 640U);
  EXPECT_EQ(default_routing_shards(512), 1024U);
  EXPECT_EQ(default_routing_shards(513), 1026U);
  EXPECT_EQ(default_routing_shards(1024), 2048U);
}

TEST(ShardRouter, OneShardTakesEverything) {
  const ShardRouter router(1);
  for (const char* id : {"", "a", "ab", "\xF0\x9F\x98\x80"}) EXPECT_EQ(router.shard_of(id), 0U);
}

TEST(ShardRouter, ImpossibleNumbersAreRefused) {
  EXPECT_THROW(ShardRouter(0), InvalidArgument);
  EXPECT_THROW(ShardRouter(1025), InvalidArgument);
  EXPECT_THROW(ShardRouter(3, 1024), InvalidArgument);
  EXPECT_THROW(ShardRouter(1, 3000000000U), InvalidArgument);
  EXPECT_NO_THROW(ShardRouter(3, 3));
}

RC_GTEST_PROP(ShardRouter, EveryTextHasAShard, (const std::string& text)) {
  const uint32_t shards = *rc::gen::inRange<uint32_t>(1, kMostShards + 1);
  RC_ASSERT(ShardRouter(shards).shard_of(text) < shards);  // malformed UTF-8 too
}

}  // namespace
}  // namespace postern::opensearch
