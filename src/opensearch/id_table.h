// Which ids the shards being built have, and where each came from: OpenSearch would not notice an
// id that is in a shard twice, it would serve both documents. (In different shards, which other
// routings lead to, they are different documents.)
//
// An id is known by a keyed 128-bit hash (SipHash-2-4, key from the system): among a thousand
// million ids the chance that any two share one is below 10^-20, and nobody can choose ids that do.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace postern::opensearch {

// SipHash-2-4 with 128 bits of result, low half first.
std::array<uint64_t, 2> siphash128(std::string_view text, const std::array<uint64_t, 2>& key);

// Where a document stands: its input among all of them, and the line.
struct Position {
  uint32_t input = 0;  // below 2^15
  uint64_t line = 0;   // below 2^47
  auto operator<=>(const Position&) const = default;
};

// What becomes of a document whose id may be there already.
enum class IdVerdict : uint8_t {
  kNew,       // to be added
  kReplaces,  // to be added in place of the one that is there
  kRepeats,   // refused: the one that is there stays
  kPassed     // nothing: a later one has taken its place already
};

enum class DuplicatePolicy : uint8_t { kRefuse, kLast };

// Thread-safe. 24 bytes an id in tables that are between 37 and 75 percent full: 32 to 64 bytes.
class IdTable {
 public:
  explicit IdTable(DuplicatePolicy policy);

  struct Answer {
    IdVerdict verdict = IdVerdict::kNew;
    Position other{};            // of the one that was there; not of kNew
    bool other_refused = false;  // kReplaces: the one that was there is refused for it
    uint64_t before = 0;         // for settle
  };

  // Decides by positions alone, so that threads make no difference: of documents with one id the
  // first one stays and the others are refused (kRefuse), or the last one stays (kLast), but a
  // `create` with a document before it is always refused (or passed, if a later one came first).
  // Whatever is to be added is announced: other documents of the id wait until `settle` is called
  // with what take answered. A thread announces one document at a time.
  Answer take(uint32_t shard, std::string_view id, Position position, bool create);
  // `worked`: the document was added. Otherwise the table is as it was.
  void settle(uint32_t shard, std::string_view id, const Answer& answer, bool worked);

  uint64_t memory() const { return memory_.load(std::memory_order_relaxed); }

 private:
  struct Entry {
    uint64_t low = 0;
    uint64_t high = 0;
    uint64_t place = 0;  // 0: free; kVacated
  };
  struct Stripe {
    std::mutex mutex;  // guards all of it
    std::condition_variable settled;
    std::vector<Entry> entries;  // a power of two, or none
    uint64_t used = 0;
    std::vector<std::array<uint64_t, 2>> announced;
  };
  static constexpr size_t kStripes = 256;

  std::array<uint64_t, 2> hash(uint32_t shard, std::string_view id) const;
  Entry& find(Stripe& stripe, const std::array<uint64_t, 2>& hash);
  void grow(Stripe& stripe);

  const DuplicatePolicy policy_;
  std::array<uint64_t, 2> key_{};
  std::atomic<uint64_t> memory_{0};
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace postern::opensearch
