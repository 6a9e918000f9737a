// The shards of an index while they are built: a writer for each, one memory budget, one table of
// ids.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opensearch/document_parser.h"
#include "opensearch/id_table.h"
#include "opensearch/index_name.h"
#include "opensearch/mapping.h"
#include "opensearch/shard_router.h"
#include "opensearch/snapshot_repository.h"
#include "postern/directory.h"
#include "postern/writer.h"

namespace postern::opensearch {

struct ShardSetOptions {
  std::filesystem::path repository;
  std::string index;
  std::string opensearch_version = kOpenSearchVersion;
  uint32_t shards = 1;
  uint32_t routing_shards = 0;     // 0: the default
  std::optional<uint32_t> only{};  // the one shard that is built; nullopt: all
  DuplicatePolicy duplicates = DuplicatePolicy::kRefuse;
  // All buffers and the table of ids together. Each shard's buffers have an equal share. The table
  // takes what it needs (id_table.h), and the buffers are written so much the earlier, but are left
  // a quarter of the whole.
  uint64_t memory = uint64_t{256} << 20;
  Limits limits{};
};

class ShardSet {
 public:
  // Makes the shards' folders and locks them; whatever earlier builds left in them is removed. The
  // mapping outlives the set. Throws InvalidArgument, LockHeld, IoError.
  ShardSet(ShardSetOptions options, Mapping& mapping);
  // What is not finished is removed.
  ~ShardSet();
  ShardSet(const ShardSet&) = delete;
  ShardSet& operator=(const ShardSet&) = delete;

  const ShardRouter& router() const { return router_; }
  // Whether documents of this shard are built here.
  bool builds(uint32_t shard) const { return !options_.only || *options_.only == shard; }

  struct Added {
    IdVerdict verdict = IdVerdict::kNew;
    Position other{};
    bool other_refused = false;
  };
  // Adds what the parser has parsed, in the place of an earlier document where the duplicate policy
  // says so. `id` as in the header it was parsed with; `generated`: nobody else can have it.
  // Thread-safe, with a parser for each thread. Throws InvalidDocument, LimitExceeded, IoError.
  Added add(uint32_t shard, DocumentParser& parser, std::string_view id, bool generated,
            bool create, Position position, uint64_t source_bytes);

  // Commits all shards, with up to `threads` of them at a time, and leaves each in its folder under
  // the repository (waiting_shard_folder) with its manifest. `read` and `elsewhere` are the
  // manifest's. No other call comes after it.
  std::vector<BuiltShard> finish(uint32_t threads, uint64_t read, uint64_t elsewhere);

  uint64_t documents() const;
  uint64_t id_table_bytes() const { return ids_.memory(); }
  // Segments written so far.
  uint64_t segments() const { return segments_.load(); }

 private:
  struct Shard {
    uint32_t number = 0;
    std::filesystem::path folder;
    std::unique_ptr<Directory> directory;
    std::unique_ptr<IndexWriter> writer;
    std::atomic<int64_t> next_sequence_number{0};
    std::atomic<uint64_t> documents{0};
    std::atomic<bool> flushing{false};
    bool finished = false;
  };

  void open(uint32_t number);
  void remove_unfinished() noexcept;
  BuiltShard finish(Shard& shard, uint64_t read, uint64_t elsewhere);
  uint64_t buffered() const;
  uint64_t buffer_limit() const;
  void keep_in_budget();
  Shard* choose_largest();

  const ShardSetOptions options_;
  const ShardRouter router_;
  Mapping& mapping_;
  IdTable ids_;
  const bool existed_;                          // the repository's folder
  std::vector<std::unique_ptr<Shard>> shards_;  // by number; null where not built
  std::vector<Shard*> built_;
  std::atomic<uint64_t> segments_{0};
  std::atomic<uint64_t> unaccounted_{0};  // bytes of documents since the budget was looked at

  std::mutex mutex_;  // guards the choice of whom to flush
  std::condition_variable flushed_;
};

}  // namespace postern::opensearch
