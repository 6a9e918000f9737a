// The norms of one field, at random, for comparing them with impacts.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/norms_reader.h"
#include "codec/postings_format.h"

namespace postern::check {

// A byte per document while all norms are bytes, as every stock similarity has them.
class NormColumn {
 public:
  // Every norm is 1, as Lucene takes it for fields without norms.
  NormColumn() = default;
  // Fields in so few documents that no list has an impact are not read.
  NormColumn(const codec::NormsReader& norms, uint32_t field, uint32_t doc_count) {
    if (doc_count < codec::kPostingsBlock) return;
    norms.for_each(field, [&](uint32_t doc, int64_t norm) {
      if (!wide_.empty() || norm != static_cast<int8_t>(norm)) widen();
      if (wide_.empty()) {
        if (doc >= bytes_.size()) bytes_.resize(doc + 1);
        bytes_[doc] = static_cast<int8_t>(norm);
      } else {
        if (doc >= wide_.size()) wide_.resize(doc + 1);
        wide_[doc] = norm;
      }
    });
  }

  // 0 for a document without one. As impacts compare it: unsigned.
  uint64_t get(uint32_t doc) const {
    if (bytes_.empty() && wide_.empty()) return 1;
    if (!wide_.empty()) return doc < wide_.size() ? static_cast<uint64_t>(wide_[doc]) : 0;
    return doc < bytes_.size() ? static_cast<uint64_t>(int64_t{bytes_[doc]}) : 0;
  }

 private:
  void widen() {
    if (!wide_.empty()) return;
    wide_.assign(bytes_.begin(), bytes_.end());
    if (wide_.empty()) wide_.push_back(0);
    bytes_.clear();
  }

  std::vector<int8_t> bytes_;
  std::vector<int64_t> wide_;
};

}  // namespace postern::check
