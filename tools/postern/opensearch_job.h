// What `postern opensearch build` does, apart from the command line: inputs into shards, and shards
// into a repository.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "interrupt.h"
#include "opensearch/bulk_input.h"
#include "opensearch/mapping.h"
#include "opensearch/shard_set.h"
#include "progress.h"

namespace postern::tool {

struct OpenSearchOptions {
  opensearch::ShardSetOptions shards;
  std::string mappings;  // path
  std::vector<std::string> inputs;
  opensearch::InputFormat format = opensearch::InputFormat::kUnknown;
  std::string id_field;
  std::string routing_field;
  uint32_t threads = 1;
  bool skip_refused = false;
  bool quiet = false;
};

struct ShardReport {
  uint32_t shard = 0;
  uint64_t documents = 0;
  uint64_t segments = 0;
  uint64_t bytes = 0;
  std::string folder;
};

struct OpenSearchReport {
  uint64_t read = 0;       // documents of the inputs
  uint64_t documents = 0;  // that the index has
  uint64_t refused = 0;    // that could not be taken
  uint64_t replaced = 0;   // that later ones with their ids took the places of
  uint64_t elsewhere = 0;  // of shards that were not built
  uint64_t input_bytes = 0;
  uint64_t text_bytes = 0;
  double seconds = 0;
  std::vector<ShardReport> shards;
  uint64_t id_table_bytes = 0;
  uint64_t peak_memory = 0;
  std::vector<std::string> passed_over;  // of the mapping's file
  bool complete = false;  // the repository can be restored, or the one shard has its manifest
  bool interrupted = false;
  std::string error;    // what ended the run early; empty if nothing did
  std::string outcome;  // after an early end: what of the work is there
  int exit_code = 0;
};

class OpenSearchJob {
 public:
  explicit OpenSearchJob(OpenSearchOptions options);
  ~OpenSearchJob();

  // Errors before the first document was read are thrown; later ones end the run and are in the
  // report.
  OpenSearchReport run();

 private:
  class Worker;  // one thread

  void read_all();
  void read_input(uint32_t number);
  void refuse(opensearch::Position position, const std::string& message);
  void stop(const std::exception& error, const std::string& message);
  void finish();
  std::string place_of(opensearch::Position position) const;

  OpenSearchOptions options_;
  Interrupt interrupt_;
  std::unique_ptr<opensearch::Mapping> mapping_;
  std::unique_ptr<opensearch::ShardSet> shards_;
  std::unique_ptr<Progress> progress_;
  std::unique_ptr<opensearch::BulkInput> first_input_;  // opened to see that it is there
  std::vector<std::unique_ptr<Worker>> workers_;
  uint64_t bytes_before_ = 0;  // of the inputs already read

  std::atomic<bool> stopped_{false};
  std::mutex mutex_;                             // guards what follows while several threads read
  std::optional<opensearch::Position> refused_;  // what ended the run
  OpenSearchReport report_;
};

}  // namespace postern::tool
