"""Which shard OpenSearch keeps a document in, in plain Python: what `postern opensearch route` tells, for partitioning in place."""


def murmur3(data):
    """Murmur3 of bytes: x86, 32 bits, seed 0; signed."""
    mask, h = 0xFFFFFFFF, 0

    def mixed(k):
        k = k * 0xCC9E2D51 & mask
        return (k << 15 | k >> 17) * 0x1B873593 & mask

    whole = len(data) & ~3
    for i in range(0, whole, 4):
        h ^= mixed(int.from_bytes(data[i:i + 4], "little"))
        h = ((h << 13 | h >> 19) & mask) * 5 + 0xE6546B64 & mask
    if whole < len(data):
        h ^= mixed(int.from_bytes(data[whole:], "little"))
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & mask
    h = (h ^ h >> 13) * 0xC2B2AE35 & mask
    h ^= h >> 16
    return h - (1 << 32) if h >> 31 else h


def default_routing_shards(shards):
    """`index.number_of_routing_shards` where none is set."""
    return shards << max(1, 10 - (shards - 1).bit_length())


def shard_of(routing_or_id, shards, routing_shards=None):
    """The shard, 0 to shards - 1, of a document with this routing, or with this id if it has no routing."""
    routing_shards = routing_shards or default_routing_shards(shards)
    return murmur3(routing_or_id.encode("utf-16-le", "surrogatepass")) % routing_shards // (routing_shards // shards)
