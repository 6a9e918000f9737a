#include "lucene_layout/seed_stream.h"

#include <algorithm>
#include <cmath>

#include "postern/analyzer.h"

namespace postern::lucene_layout {

int32_t JavaRandom::next_int(int32_t n) {
  int32_t r = next(31);
  if ((n & (n - 1)) == 0) return static_cast<int32_t>((int64_t{n} * r) >> 31);
  int32_t m = r % n;
  // Rejects the incomplete last range of n, where Java's sum overflows.
  while (int64_t{r} - m + (n - 1) > INT32_MAX) {
    r = next(31);
    m = r % n;
  }
  return m;
}

double JavaRandom::next_double() {
  int64_t high = int64_t{next(26)} << 27;
  return static_cast<double>(high + next(27)) * 0x1.0p-53;
}

void JavaRandom::next_bytes(uint8_t* out, size_t n) {
  for (size_t i = 0; i < n;) {
    auto value = static_cast<uint32_t>(next(32));
    for (int k = 0; k < 4 && i < n; ++k, value >>= 8) out[i++] = static_cast<uint8_t>(value);
  }
}

void SeedStream::append(TermBytes token) {
  if (upto_ + token.size() > kChunk) {
    chunks_.push_back(std::make_unique<uint8_t[]>(kChunk + kTermPadding));
    upto_ = 0;
  }
  uint8_t* p = chunks_.back().get() + upto_;
  std::copy(token.begin(), token.end(), p);
  upto_ += token.size();
  tokens_.push_back({p, token.size()});
}

SeedStream SeedStream::skewed(double skew) {
  JavaRandom random(42);
  std::vector<std::vector<uint8_t>> vocabulary(kVocabulary);
  for (auto& entry : vocabulary) {
    bool is_short = random.next_double() < 0.75;
    entry.resize(static_cast<size_t>(is_short ? 1 + random.next_int(8) : 9 + random.next_int(24)));
    random.next_bytes(entry.data(), entry.size());
  }
  SeedStream stream(1000);
  stream.tokens_.reserve(kTokens);
  for (uint32_t i = 0; i < kTokens; ++i) {
    auto index = static_cast<uint32_t>(kVocabulary * std::pow(random.next_double(), skew));
    stream.append(vocabulary[std::min(index, kVocabulary - 1)]);
  }
  return stream;
}

SeedStream SeedStream::uuids() {
  JavaRandom random(42);
  SeedStream stream(1);
  stream.tokens_.reserve(kTokens);
  for (uint32_t i = 0; i < kTokens; ++i) {
    uint8_t token[16];
    for (uint8_t& b : token) b = static_cast<uint8_t>(random.next_int(256));
    stream.append(token);
  }
  return stream;
}

}  // namespace postern::lucene_layout
