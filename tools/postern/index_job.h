// What `postern index` does, apart from the command line: inputs into an index.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "index_sizes.h"
#include "input/shared_input.h"
#include "input/source.h"
#include "interrupt.h"
#include "postern/writer.h"
#include "progress.h"

namespace postern::tool {

struct IndexOptions {
  std::string out;
  std::string schema;  // path; empty: inferred
  std::vector<std::string> inputs;
  WriterConfig writer;
  uint32_t threads = 1;
  bool mode_given = false;  // --create or --append
  bool skip_refused = false;
  bool quiet = false;
};

struct IndexReport {
  uint64_t documents = 0;  // added, also by updates
  uint64_t updates = 0;    // operations that were carried out, of each kind
  uint64_t deletes = 0;
  uint64_t doc_values_updates = 0;
  uint64_t refused = 0;      // lines, files or blocks that could not be
  uint64_t input_bytes = 0;  // of the inputs' files, as far as they were read
  uint64_t text_bytes = 0;   // the same decompressed
  double seconds = 0;        // from opening the first input to the end of the last commit
  std::map<std::string, uint64_t> flushes;  // by reason
  std::string inferred_schema;              // empty if one was given
  IndexSizes index;
  uint64_t peak_memory = 0;  // resident bytes of the process
  bool interrupted = false;
  std::string error;    // what ended the run early; empty if nothing did
  std::string outcome;  // after an early end: what of the work is in the index
  int exit_code = 0;
};

class IndexJob {
 public:
  ~IndexJob();
  explicit IndexJob(IndexOptions options);

  // Errors before anything was indexed are thrown; later ones end the run and are in the report.
  IndexReport run();

 private:
  class Reader;  // one thread's way through one input

  void inspect_inputs();
  void prepare_schema();
  void open_index();
  void read_all();
  void read_input(size_t index);
  std::unique_ptr<input::SharedInput> open_input(size_t index) const;
  void refuse(const input::Place& place, const std::string& message);
  void stop(const std::exception& error, const std::string& message);
  void record(const std::exception& error, const std::string& message);
  void finish();
  void measure();

  IndexOptions options_;
  Interrupt interrupt_;
  std::vector<input::InputInfo> inputs_;
  // Opened to infer the schema: the first input, and its first source.
  std::unique_ptr<input::SharedInput> first_input_;
  std::unique_ptr<Reader> first_reader_;
  std::unique_ptr<input::Schema> schema_;
  std::unique_ptr<Directory> directory_;
  std::unique_ptr<IndexWriter> writer_;
  std::unique_ptr<Progress> progress_;
  uint64_t bytes_before_ = 0;  // of the inputs already read
  uint64_t next_document_ = 0;

  std::atomic<bool> stopped_{false};
  std::mutex mutex_;  // guards what follows while several threads read
  bool committed_ = false;
  bool side_by_side_ = false;            // several readers added documents of the last input
  std::optional<input::Place> refused_;  // what ended the run
  IndexReport report_;
};

}  // namespace postern::tool
