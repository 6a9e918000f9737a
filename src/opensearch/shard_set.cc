#include "opensearch/shard_set.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "opensearch/document_id.h"
#include "opensearch/shard_folder.h"
#include "postern/error.h"

namespace postern::opensearch {
namespace {

// The budget is looked at once for so many bytes of documents.
constexpr uint64_t kStep = uint64_t{256} << 10;

}  // namespace

ShardSet::ShardSet(ShardSetOptions options, Mapping& mapping)
    : options_(std::move(options)),
      router_(options_.shards, options_.routing_shards),
      mapping_(mapping),
      ids_(options_.duplicates),
      existed_(std::filesystem::exists(options_.repository)) {
  check_index_name(options_.index);
  check_opensearch_version(options_.opensearch_version);
  require_no_repository(options_.repository);
  shards_.resize(options_.shards);
  try {
    for (uint32_t i = 0; i < options_.shards; ++i) {
      if (builds(i)) open(i);
    }
  } catch (...) {
    remove_unfinished();
    throw;
  }
}

ShardSet::~ShardSet() { remove_unfinished(); }

void ShardSet::remove_unfinished() noexcept {
  for (Shard* shard : built_) {
    shard->writer.reset();  // rolls back
    shard->directory.reset();
    std::error_code no_matter;
    if (!shard->finished) std::filesystem::remove_all(shard->folder, no_matter);
  }
  if (options_.only) return;  // builders of other shards may be about to use the folder
  std::error_code not_empty;
  std::filesystem::remove(waiting_shard_folder(options_.repository, 0).parent_path(), not_empty);
  if (!existed_) std::filesystem::remove(options_.repository, not_empty);
}

void ShardSet::open(uint32_t number) {
  auto shard = std::make_unique<Shard>();
  shard->number = number;
  shard->folder = waiting_shard_folder(options_.repository, number);
  WriterConfig config;
  config.open_mode = OpenMode::kCreate;
  config.ram_buffer_mb =
      static_cast<double>(options_.memory) / (1 << 20) / (options_.only ? 1 : options_.shards);
  config.limits = options_.limits;
  config.commit_on_close = false;
  // Packing would copy every byte once more, and a restore opens a handful of files as readily.
  config.use_compound_file = false;
  config.on_flush = [this](const FlushEvent&) { segments_.fetch_add(1); };
  try {
    shard->directory = open_directory(shard->folder);
    clear_shard_folder(*shard->directory);
    shard->writer = std::make_unique<IndexWriter>(*shard->directory, config);
  } catch (const LockHeld&) {
    throw;
  } catch (...) {
    std::error_code no_matter;
    std::filesystem::remove_all(shard->folder, no_matter);
    throw;
  }
  built_.push_back(shard.get());
  shards_[number] = std::move(shard);
}

ShardSet::Added ShardSet::add(uint32_t number, DocumentParser& parser, std::string_view id,
                              bool generated, bool create, Position position,
                              uint64_t source_bytes) {
  Shard& shard = *shards_[number];
  IdTable::Answer answer;
  if (!generated) answer = ids_.take(number, id, position, create);
  const Added added{answer.verdict, answer.other, answer.other_refused};
  if (added.verdict == IdVerdict::kRepeats || added.verdict == IdVerdict::kPassed) return added;
  try {
    // A document the writer refuses leaves a gap in the numbers, as one does in OpenSearch.
    const std::span<const Document> block = parser.documents(shard.next_sequence_number++);
    if (added.verdict == IdVerdict::kReplaces) {
      std::string bytes;
      append_id_bytes(bytes, id);
      shard.writer->update_documents({.field = "_id", .bytes = bytes}, block);
    } else if (block.size() == 1) {
      shard.writer->add_document(block.front());
    } else {
      shard.writer->add_documents(block);
    }
  } catch (...) {
    if (!generated) ids_.settle(number, id, answer, false);
    throw;
  }
  if (!generated) ids_.settle(number, id, answer, true);
  if (added.verdict == IdVerdict::kNew) shard.documents.fetch_add(1, std::memory_order_relaxed);
  if (unaccounted_.fetch_add(source_bytes, std::memory_order_relaxed) + source_bytes >= kStep) {
    unaccounted_.store(0, std::memory_order_relaxed);
    keep_in_budget();
  }
  return added;
}

uint64_t ShardSet::documents() const {
  uint64_t sum = 0;
  for (const Shard* shard : built_) sum += shard->documents.load();
  return sum;
}

uint64_t ShardSet::buffered() const {
  uint64_t sum = 0;
  for (const Shard* shard : built_) sum += shard->writer->ram_bytes_used();
  return sum;
}

uint64_t ShardSet::buffer_limit() const {
  const uint64_t table = ids_.memory();
  return options_.memory - std::min(table, options_.memory / 4 * 3);
}

// The largest of those that nobody flushes.
ShardSet::Shard* ShardSet::choose_largest() {
  Shard* largest = nullptr;
  uint64_t most = 0;
  for (Shard* shard : built_) {
    if (shard->flushing) continue;
    const uint64_t bytes = shard->writer->ram_bytes_used();
    if (bytes <= most) continue;
    most = bytes;
    largest = shard;
  }
  return largest;
}

// Writers keep to their shares of the budget, but know nothing of the table of ids. When both
// together are over it, the thread that notices writes the largest shard's buffers; what is being
// written counts on, so that others write too, or wait, only when writing falls behind by a
// quarter.
void ShardSet::keep_in_budget() {
  const uint64_t limit = buffer_limit();
  if (buffered() <= limit) return;
  Shard* shard = nullptr;
  {
    std::unique_lock lock(mutex_);
    const auto anybody = [&] {
      return std::any_of(built_.begin(), built_.end(),
                         [](const Shard* s) { return s->flushing.load(); });
    };
    if (anybody() && buffered() <= limit + limit / 4) return;
    shard = choose_largest();
    if (shard == nullptr) {
      flushed_.wait(lock, [&] { return !anybody() || buffered() <= limit + limit / 4; });
      return;
    }
    shard->flushing = true;
  }
  const auto done = [&] {
    std::lock_guard lock(mutex_);
    shard->flushing = false;
    flushed_.notify_all();
  };
  try {
    shard->writer->flush();
  } catch (...) {
    done();
    throw;
  }
  done();
}

std::vector<BuiltShard> ShardSet::finish(uint32_t threads, uint64_t read, uint64_t elsewhere) {
  std::vector<BuiltShard> result(built_.size());
  std::vector<std::exception_ptr> errors(built_.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < built_.size(); i = next++) {
      try {
        result[i] = finish(*built_[i], read, elsewhere);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const size_t n = std::min<size_t>(threads, built_.size());
    for (size_t i = 1; i < n; ++i) others.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  for (Shard* shard : built_) shard->finished = true;
  return result;
}

BuiltShard ShardSet::finish(Shard& shard, uint64_t read, uint64_t elsewhere) {
  const std::string last = std::to_string(shard.next_sequence_number.load() - 1);
  shard.writer->set_commit_user_data({{"history_uuid", random_uuid()},
                                      {"local_checkpoint", last},
                                      {"max_seq_no", last},
                                      {"max_unsafe_auto_id_timestamp", "-1"},
                                      {"min_retained_seq_no", "0"},
                                      {"translog_uuid", random_uuid()}});
  shard.writer->commit();
  shard.writer->close();
  BuiltShard built;
  built.folder = shard.folder;
  built.name = (shard.folder / kManifestName).string();
  built.manifest.index = options_.index;
  built.manifest.opensearch_version = options_.opensearch_version;
  built.manifest.shards = router_.shards();
  built.manifest.routing_shards = router_.routing_shards();
  built.manifest.shard = shard.number;
  built.manifest.documents = shard.documents;
  built.manifest.read = read;
  built.manifest.elsewhere = elsewhere;
  built.manifest.mappings = mapping_.to_json();
  built.manifest.settings = mapping_.index_settings();
  built.manifest.files = seal_shard_folder(*shard.directory);
  write_manifest(*shard.directory, built.manifest);
  return built;
}

}  // namespace postern::opensearch
