// What all fields of one document buffer (= one segment being built) share: the pools, the memory
// counter, the working space of the field being inverted, and the token streams.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/byte_buffer.h"
#include "invert/token_group.h"
#include "memory/byte_pool.h"
#include "memory/memory_counter.h"
#include "postern/analyzer.h"
#include "postern/limits.h"
#include "postern/writer.h"

namespace postern::invert {

// Used by one thread at a time and kept from segment to segment: reset() recycles the pools.
class BufferMemory {
 public:
  // `hash_seed` only decides where terms lie in the tables; no result depends on it.
  BufferMemory(PoolLayout layout, const Limits& limits,
               uint64_t hash_seed = memory::process_hash_seed());

  // Bytes in use by the current segment: pools as far as they were touched, the arrays of all
  // fields, everything else made with this counter.
  memory::MemoryCounter& counter() { return counter_; }
  const memory::MemoryCounter& counter() const { return counter_; }

  // Starts the next segment. Every FieldInverter of the last one must have been destroyed. Pool
  // memory stays with the process, zeroed and not counted, for the next segment; see trim.
  void reset();
  // Gives recycled pool memory back to the operating system as far as bytes in use plus recycled
  // bytes exceed `resident_limit`. Cheap when there is nothing to do: call it after each document.
  void trim(uint64_t resident_limit) {
    if (counter_.bytes() + idle_bytes() > resident_limit) release_idle(resident_limit);
  }
  // Recycled bytes that the current segment has not used yet.
  uint64_t idle_bytes() const {
    return slices_.idle_bytes() + terms_.idle_bytes() + doc_values_.idle_bytes();
  }

  // Some pool has come so close to its limit that the writer should flush after this document
  // (three quarters of it, so that the next documents cannot fail for want of addresses).
  bool pools_nearly_full() const {
    return slices_.nearly_full() || terms_.nearly_full() || doc_values_.nearly_full();
  }

  PoolLayout layout() const { return layout_; }
  uint64_t hash_seed() const { return hash_seed_; }
  memory::BytePool& slices() { return slices_; }
  const memory::BytePool& slices() const { return slices_; }
  // Where the text of terms goes; the same as slices() in kShared.
  memory::BytePool& text() { return layout_ == PoolLayout::kShared ? slices_ : terms_; }
  const memory::BytePool& text() const { return layout_ == PoolLayout::kShared ? slices_ : terms_; }
  // The distinct values of sorted doc values.
  memory::BytePool& doc_values() { return doc_values_; }

  // Whether slices and text of these sizes fit into their pools, besides what is promised.
  bool has_room(uint64_t slice_bytes, uint64_t text_bytes) const {
    if (layout_ == PoolLayout::kShared) return slices_.has_room(slice_bytes + text_bytes);
    return slices_.has_room(slice_bytes) && terms_.has_room(text_bytes);
  }
  // Throws LimitExceeded, with nothing changed, if not. `what` says for whom.
  void require_room(uint64_t slice_bytes, uint64_t text_bytes, const std::string& what) const;
  // Keeps `bytes` free in each pool for work that comes later.
  void promise(uint64_t bytes) {
    slices_.promise(bytes);
    terms_.promise(bytes);
  }
  void unpromise(uint64_t bytes) {
    slices_.unpromise(bytes);
    terms_.unpromise(bytes);
  }

  TokenGroup& group() { return group_; }
  // Where tokens that have waited are added from, while others are in group().
  TokenGroup& waited() { return waited_; }
  ByteBuffer& scratch() { return scratch_; }
  // One stream per analyzer serves all fields: they are inverted one after another.
  TokenStream& stream(const Analyzer& analyzer);

 private:
  void release_idle(uint64_t resident_limit);

  PoolLayout layout_;
  uint64_t hash_seed_;
  memory::MemoryCounter counter_;
  memory::BytePool slices_;
  memory::BytePool terms_;
  memory::BytePool doc_values_;
  TokenGroup group_;
  TokenGroup waited_;
  ByteBuffer scratch_;
  std::unordered_map<const Analyzer*, std::unique_ptr<TokenStream>> streams_;
};

}  // namespace postern::invert
