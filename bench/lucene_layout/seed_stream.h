// The token streams of the microbenchmark that the project started from (docs/formats/04 §1.1).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lucene_layout/term_hash.h"

namespace postern::lucene_layout {

// Java's 48-bit linear congruential generator.
class JavaRandom {
 public:
  explicit JavaRandom(uint64_t seed) : state_((seed ^ 0x5deece66d) & kMask) {}
  int32_t next(uint32_t bits) {
    state_ = (state_ * 0x5deece66d + 0xb) & kMask;
    return static_cast<int32_t>(static_cast<uint32_t>(state_ >> (48 - bits)));
  }
  int32_t next_int(int32_t n);
  double next_double();
  void next_bytes(uint8_t* out, size_t n);

 private:
  static constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;
  uint64_t state_;
};

// Tokens in stream order, in chunks of 64 KB; a token never crosses a chunk, and kTermPadding
// readable bytes follow each.
class SeedStream {
 public:
  static constexpr uint32_t kTokens = 1u << 21;
  static constexpr uint32_t kVocabulary = kTokens / 8;

  // Entries of a vocabulary chosen with index V * u^skew, 1000 tokens a document.
  static SeedStream skewed(double skew);
  // 16 random bytes a token, one token a document.
  static SeedStream uuids();

  uint32_t size() const { return static_cast<uint32_t>(tokens_.size()); }
  uint32_t tokens_per_document() const { return tokens_per_document_; }
  TermBytes operator[](uint32_t i) const { return tokens_[i]; }
  std::span<const TermBytes> tokens() const { return tokens_; }

 private:
  explicit SeedStream(uint32_t tokens_per_document) : tokens_per_document_(tokens_per_document) {}
  void append(TermBytes token);

  uint32_t tokens_per_document_;
  std::vector<std::unique_ptr<uint8_t[]>> chunks_;
  size_t upto_ = kChunk;
  std::vector<TermBytes> tokens_;
  static constexpr size_t kChunk = 64 << 10;
};

}  // namespace postern::lucene_layout
