#include "index/field_order.h"

namespace postern::index {
namespace {

constexpr uint32_t kEnd = ~uint32_t{0};

uint32_t add_unit(uint32_t hash, uint32_t unit) { return 31 * hash + unit; }

}  // namespace

uint32_t java_string_hash(std::string_view name) {
  uint32_t hash = 0;
  for (size_t i = 0; i < name.size();) {
    const auto byte = [&](size_t k) -> uint32_t {
      return i + k < name.size() ? static_cast<uint8_t>(name[i + k]) : 0;
    };
    const uint32_t lead = byte(0);
    if (lead < 0x80) {
      hash = add_unit(hash, lead);
      i += 1;
    } else if (lead < 0xe0) {
      hash = add_unit(hash, (lead & 0x1f) << 6 | (byte(1) & 0x3f));
      i += 2;
    } else if (lead < 0xf0) {
      hash = add_unit(hash, (lead & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f));
      i += 3;
    } else {
      const uint32_t code =
          (lead & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
      hash = add_unit(hash, 0xd800 + ((code - 0x10000) >> 10));
      hash = add_unit(hash, 0xdc00 + (code & 0x3ff));
      i += 4;
    }
  }
  return hash;
}

// The table itself, with chains as linked lists: a new field goes to the front of its chain, and a
// table that is half full is doubled, bucket by bucket, each field again going to the front.
std::vector<uint32_t> bucket_order(std::span<const std::string_view> names) {
  std::vector<uint32_t> heads(2, kEnd);
  std::vector<uint32_t> next(names.size(), kEnd);
  std::vector<uint32_t> hashes(names.size());
  auto push = [&](std::vector<uint32_t>& table, uint32_t field) {
    uint32_t& head = table[hashes[field] & (table.size() - 1)];
    next[field] = head;
    head = field;
  };
  for (uint32_t field = 0; field < names.size(); ++field) {
    hashes[field] = java_string_hash(names[field]);
    push(heads, field);
    if (field + size_t{1} < heads.size() / 2) continue;
    std::vector<uint32_t> doubled(heads.size() * 2, kEnd);
    for (uint32_t head : heads) {
      for (uint32_t f = head; f != kEnd;) {
        const uint32_t following = next[f];
        push(doubled, f);
        f = following;
      }
    }
    heads = std::move(doubled);
  }
  std::vector<uint32_t> order;
  order.reserve(names.size());
  for (uint32_t head : heads)
    for (uint32_t f = head; f != kEnd; f = next[f]) order.push_back(f);
  return order;
}

}  // namespace postern::index
