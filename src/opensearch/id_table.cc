#include "opensearch/id_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <utility>

namespace postern::opensearch {
namespace {

constexpr size_t kFirstEntries = 16;

// The place of an entry: 1 (it is there), 15 bits of the input, 47 of the line, 1 (it was a
// create).
constexpr uint64_t kThere = uint64_t{1} << 63;
constexpr uint64_t kLineBits = 47;

// Of an id whose only document was refused after all.
constexpr uint64_t kVacated = 1;

uint64_t pack(Position position, bool create) {
  return kThere | static_cast<uint64_t>(position.input) << (kLineBits + 1) | position.line << 1 |
         (create ? 1 : 0);
}

Position unpack(uint64_t place) {
  return {.input = static_cast<uint32_t>((place & ~kThere) >> (kLineBits + 1)),
          .line = place >> 1 & ((uint64_t{1} << kLineBits) - 1)};
}

// SipHash's state and rounds (Aumasson, Bernstein, "SipHash: a fast short-input PRF").
struct SipState {
  uint64_t v0, v1, v2, v3;

  void rounds(int n) {
    for (int i = 0; i < n; ++i) {
      v0 += v1;
      v1 = std::rotl(v1, 13) ^ v0;
      v0 = std::rotl(v0, 32);
      v2 += v3;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 += v3;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 += v1;
      v1 = std::rotl(v1, 17) ^ v2;
      v2 = std::rotl(v2, 32);
    }
  }
  void add(uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  }
  uint64_t fold() {
    rounds(4);
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

}  // namespace

std::array<uint64_t, 2> siphash128(std::string_view text, const std::array<uint64_t, 2>& key) {
  SipState state{key[0] ^ 0x736F6D6570736575u, key[1] ^ 0x646F72616E646F6Du ^ 0xEE,
                 key[0] ^ 0x6C7967656E657261u, key[1] ^ 0x7465646279746573u};
  const uint64_t length = text.size();
  uint64_t word = 0;
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::memcpy(&word, text.data(), 8);
    state.add(word);
  }
  word = 0;
  std::memcpy(&word, text.data(), text.size());
  state.add(word | length << 56);
  state.v2 ^= 0xEE;
  const uint64_t low = state.fold();
  state.v1 ^= 0xDD;
  return {low, state.fold()};
}

IdTable::IdTable(DuplicatePolicy policy) : policy_(policy) {
  std::random_device device;
  for (uint64_t& word : key_) word = static_cast<uint64_t>(device()) << 32 | device();
}

std::array<uint64_t, 2> IdTable::hash(uint32_t shard, std::string_view id) const {
  return siphash128(id, {key_[0] + shard, key_[1]});
}

IdTable::Entry& IdTable::find(Stripe& stripe, const std::array<uint64_t, 2>& hash) {
  const size_t mask = stripe.entries.size() - 1;
  for (size_t i = hash[1] & mask;; i = (i + 1) & mask) {
    Entry& entry = stripe.entries[i];
    if (entry.place == 0 || (entry.low == hash[0] && entry.high == hash[1])) return entry;
  }
}

void IdTable::grow(Stripe& stripe) {
  const size_t before = stripe.entries.size();
  std::vector<Entry> old(std::max(kFirstEntries, 2 * before));
  memory_ += old.size() * sizeof(Entry);
  old.swap(stripe.entries);
  for (const Entry& entry : old) {
    if (entry.place != 0) find(stripe, {entry.low, entry.high}) = entry;
  }
  memory_ -= before * sizeof(Entry);
}

IdTable::Answer IdTable::take(uint32_t shard, std::string_view id, Position position, bool create) {
  const std::array<uint64_t, 2> hash = this->hash(shard, id);
  Stripe& stripe = stripes_[hash[0] % kStripes];
  std::unique_lock lock(stripe.mutex);
  stripe.settled.wait(lock, [&] {
    return std::find(stripe.announced.begin(), stripe.announced.end(), hash) ==
           stripe.announced.end();
  });
  if (4 * (stripe.used + 1) > 3 * stripe.entries.size()) grow(stripe);
  Entry& entry = find(stripe, hash);
  Answer answer;
  answer.before = entry.place;
  if (entry.place == 0) ++stripe.used;
  if (entry.place > kVacated) {
    answer.other = unpack(entry.place);
    const bool behind = answer.other < position;
    const bool other_created = (entry.place & 1) != 0;
    if (policy_ == DuplicatePolicy::kRefuse || (behind ? create : other_created)) {
      answer.verdict = behind ? IdVerdict::kRepeats : IdVerdict::kReplaces;
      answer.other_refused = !behind;
    } else {
      answer.verdict = behind ? IdVerdict::kReplaces : IdVerdict::kPassed;
    }
  }
  if (answer.verdict == IdVerdict::kNew || answer.verdict == IdVerdict::kReplaces) {
    entry = {hash[0], hash[1], pack(position, create)};
    stripe.announced.push_back(hash);
  }
  return answer;
}

void IdTable::settle(uint32_t shard, std::string_view id, const Answer& answer, bool worked) {
  const std::array<uint64_t, 2> hash = this->hash(shard, id);
  Stripe& stripe = stripes_[hash[0] % kStripes];
  std::lock_guard lock(stripe.mutex);
  if (!worked) find(stripe, hash).place = std::max(answer.before, kVacated);
  std::erase(stripe.announced, hash);
  stripe.settled.notify_all();
}

}  // namespace postern::opensearch
