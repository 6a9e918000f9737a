#include "opensearch_job.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "exit_codes.h"
#include "format.h"
#include "opensearch/document_id.h"
#include "opensearch/index_name.h"
#include "postern/error.h"

namespace postern::tool {

using opensearch::BulkDocument;
using opensearch::IdVerdict;
using opensearch::Position;

// Keeps its parser over all inputs.
class OpenSearchJob::Worker {
 public:
  explicit Worker(OpenSearchJob& job)
      : job_(job), parser_(*job.mapping_, [this] { part_->wait_for_earlier(); }) {}

  // Its part of an input. The part is gone when it returns: others may wait for that.
  void read(opensearch::BulkInput& input, uint32_t number) {
    input_ = &input;
    number_ = number;
    ended_ = false;
    part_ = input.open([this] { tell_progress(); });
    while (!ended_ && step()) {
    }
    tell_progress();
    text_bytes_ += part_->source().text_bytes();
    part_.reset();
  }
  uint64_t text_bytes() const { return text_bytes_; }

 private:
  // False at the end of the input.
  bool step() {
    if (job_.interrupt_.wanted()) {
      interrupted();
      return false;
    }
    opensearch::BulkSource& source = part_->source();
    try {
      const std::optional<BulkDocument> document = source.next();
      if (!document) return false;
      count(&OpenSearchReport::read);
      add(*document);
    } catch (const input::ReadStopped&) {
      interrupted();
    } catch (const input::RefusedInput& e) {
      refuse(e.what());
    } catch (const InvalidDocument& e) {
      refuse(at(e));
    } catch (const LimitExceeded& e) {
      stop(e, at(e));
    } catch (const std::exception& e) {
      stop(e, message_of(e));
    }
    return !ended_;
  }

  void add(const BulkDocument& document) {
    std::string_view id = document.id;
    const bool generated = id.empty();
    if (generated && job_.options_.shards.only) {
      return refuse(at("a document without an id belongs to no shard: with --shard each has one"));
    }
    if (generated) {
      id_ = opensearch::random_id();
      id = id_;
    }
    opensearch::check_id(id);
    opensearch::ShardSet& shards = *job_.shards_;
    const uint32_t shard = shards.router().shard_of(document.has_routing ? document.routing : id);
    if (!shards.builds(shard)) return count(&OpenSearchReport::elsewhere);
    parser_.parse({.id = id, .routing = document.routing, .has_routing = document.has_routing},
                  document.source);
    const auto added = shards.add(shard, parser_, id, generated, document.create, position(),
                                  document.source.size());
    switch (added.verdict) {
      case IdVerdict::kNew:
        return;
      case IdVerdict::kRepeats:
        return refuse(at(repeated(id, added.other)));
      case IdVerdict::kReplaces:
        if (added.other_refused) {
          return job_refuse(added.other, fmt::format("{}: {}", job_.place_of(added.other),
                                                     repeated(id, position())));
        }
        [[fallthrough]];
      case IdVerdict::kPassed:
        count(&OpenSearchReport::replaced);
    }
  }

  std::string repeated(std::string_view id, Position earlier) const {
    return fmt::format("the id {} is that of {} already", input::quoted(id),
                       job_.place_of(earlier));
  }

  Position position() const { return {.input = number_, .line = part_->source().place().line}; }
  std::string at(std::string_view message) const {
    return fmt::format("{}: {}", input::describe(part_->source().place()), message);
  }
  std::string at(const std::exception& error) const { return at(std::string_view(error.what())); }

  // The run ends, but the others finish the pieces they have: an earlier mistake is told then.
  void refuse(const std::string& message) { job_refuse(position(), message); }
  void job_refuse(Position position, const std::string& message) {
    job_.refuse(position, message);
    if (job_.options_.skip_refused) return;
    ended_ = true;
    input_->stop();
  }
  void stop(const std::exception& error, const std::string& message) {
    job_.stop(error, message);
    ended_ = true;
    input_->stop();
  }
  void interrupted() {
    std::lock_guard lock(job_.mutex_);
    job_.report_.interrupted = true;
    job_.stopped_ = true;
    ended_ = true;
    input_->stop();
  }

  // Told to the report now and then.
  void count(uint64_t OpenSearchReport::*what) {
    ++(untold_.*what);
    if (++untold_count_ % kTellEvery == 0) tell_progress();
  }
  void tell_progress() {
    std::lock_guard lock(job_.mutex_);
    for (const auto what :
         {&OpenSearchReport::read, &OpenSearchReport::replaced, &OpenSearchReport::elsewhere}) {
      job_.report_.*what += std::exchange(untold_.*what, 0);
    }
    job_.progress_->update(job_.bytes_before_ + input_->bytes_taken(), job_.report_.read);
  }

  static constexpr uint64_t kTellEvery = 256;

  OpenSearchJob& job_;
  opensearch::DocumentParser parser_;
  opensearch::BulkInput* input_ = nullptr;
  uint32_t number_ = 0;
  std::unique_ptr<opensearch::BulkInput::Part> part_;
  bool ended_ = false;
  std::string id_;
  uint64_t text_bytes_ = 0;
  OpenSearchReport untold_;
  uint64_t untold_count_ = 0;
};

OpenSearchJob::OpenSearchJob(OpenSearchOptions options) : options_(std::move(options)) {}
OpenSearchJob::~OpenSearchJob() = default;

OpenSearchReport OpenSearchJob::run() {
  const auto start = std::chrono::steady_clock::now();
  if (options_.inputs.size() >= 1 << 15) throw InvalidArgument("more than 32,767 inputs");
  mapping_ = opensearch::Mapping::load(options_.mappings);
  report_.passed_over = mapping_->passed_over();
  // Mistakes in the options are found before a folder is made for them.
  const opensearch::ShardRouter checked(options_.shards.shards, options_.shards.routing_shards);
  opensearch::check_index_name(options_.shards.index);
  if (options_.shards.only && *options_.shards.only >= checked.shards()) {
    throw InvalidArgument(fmt::format("there is no shard {} among {}: they count from 0",
                                      *options_.shards.only, checked.shards()));
  }
  uint64_t total = 0;
  bool known = true;
  for (const std::string& path : options_.inputs) {
    const uint64_t bytes = opensearch::input_bytes(path);
    total += bytes;
    known = known && bytes != 0;
  }
  progress_ = std::make_unique<Progress>(known ? total : 0, options_.quiet);
  shards_ = std::make_unique<opensearch::ShardSet>(options_.shards, *mapping_);
  while (workers_.size() < options_.threads) workers_.push_back(std::make_unique<Worker>(*this));
  read_all();
  finish();
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  struct rusage usage {};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    report_.peak_memory = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  }
  return std::move(report_);
}

void OpenSearchJob::read_all() {
  try {
    for (uint32_t i = 0; i < options_.inputs.size() && !stopped_; ++i) read_input(i);
  } catch (const std::exception& e) {
    stop(e, message_of(e));
  }
  for (const auto& worker : workers_) report_.text_bytes += worker->text_bytes();
  progress_->clear_line();
}

void OpenSearchJob::read_input(uint32_t number) {
  opensearch::BulkInput input(options_.inputs[number],
                              {.format = options_.format,
                               .index = options_.shards.index,
                               .id_field = options_.id_field,
                               .routing_field = options_.routing_field},
                              interrupt_.descriptor());
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < workers_.size(); ++i) {
      others.emplace_back([&, &worker = *workers_[i]] { worker.read(input, number); });
    }
    workers_.front()->read(input, number);
  }
  report_.input_bytes = bytes_before_ += input.bytes_taken();
}

void OpenSearchJob::refuse(Position position, const std::string& message) {
  std::lock_guard lock(mutex_);
  if (options_.skip_refused) {
    ++report_.refused;
    progress_->message("refused: " + message);
    return;
  }
  // Several threads may each come upon one; the first one in the input is what ends the run.
  const bool first = !refused_ || position < *refused_;
  if (stopped_.exchange(true) && !(refused_ && first)) return;
  refused_ = position;
  report_.refused = 1;
  report_.error = message;
  report_.exit_code = kUsersMistake;
}

void OpenSearchJob::stop(const std::exception& error, const std::string& message) {
  std::lock_guard lock(mutex_);
  if (stopped_.exchange(true)) return;
  if (dynamic_cast<const input::ReadStopped*>(&error) != nullptr) {
    report_.interrupted = true;
    return;
  }
  report_.error = message;
  report_.exit_code = exit_code_of(error);
}

std::string OpenSearchJob::place_of(Position position) const {
  return input::describe({.file = options_.inputs[position.input], .line = position.line});
}

// All or nothing: there is no restoring half an index.
void OpenSearchJob::finish() {
  const std::filesystem::path& repository = options_.shards.repository;
  workers_.clear();
  bool built_all = false;
  if (!stopped_) {
    try {
      report_.documents = shards_->documents();
      report_.id_table_bytes = shards_->id_table_bytes();
      std::vector<opensearch::BuiltShard> built =
          shards_->finish(options_.threads, report_.read, report_.elsewhere);
      for (const opensearch::BuiltShard& shard : built) {
        ShardReport& entry = report_.shards.emplace_back();
        entry.shard = shard.manifest.shard;
        entry.documents = shard.manifest.documents;
        entry.bytes = shard.manifest.bytes();
        entry.folder = shard.folder.string();
        for (const auto& file : shard.manifest.files) {
          entry.segments += file.physical_name.ends_with(".si") ? 1 : 0;
        }
      }
      built_all = true;
      if (!options_.shards.only) {
        opensearch::write_repository(repository, opensearch::AssembledIndex(std::move(built)));
      }
      report_.complete = true;
    } catch (const std::exception& e) {
      stop(e, message_of(e));
    }
  }
  shards_.reset();
  if (report_.complete) return;
  if (report_.interrupted) report_.exit_code = kInterrupted;
  if (options_.shards.only) {
    report_.outcome = fmt::format("shard {} was not built", *options_.shards.only);
  } else if (built_all) {
    report_.outcome = fmt::format(
        "{} holds no repository, but its shards are built: postern opensearch assemble makes one "
        "of the {} files below it",
        repository.string(), opensearch::kManifestName);
  } else {
    report_.outcome = fmt::format("{} holds no repository: nothing of this run can be restored",
                                  repository.string());
  }
}

}  // namespace postern::tool
