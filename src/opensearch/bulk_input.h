// One input of documents for several threads: each reads a part of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "opensearch/bulk_source.h"

namespace postern::opensearch {

class BulkInput {
 public:
  // Opens the input ("-" is standard input) and, if options.format is kUnknown, finds out what it
  // is by its first line. Throws IoError; InvalidArgument for a folder, or id and routing fields
  // for an input of actions, which have ids of their own. stop_descriptor: input::SourceOptions'.
  BulkInput(std::string path, BulkOptions options, int stop_descriptor);
  // From memory, for tests.
  BulkInput(std::string path, std::unique_ptr<input::ByteSource> bytes, BulkOptions options,
            size_t block = input::LineReader::kBlock);

  InputFormat format() const { return options_.format; }

  // One reader's part; belongs to a thread.
  class Part {
   public:
    Part(std::string path, std::shared_ptr<input::LineSplitter> lines, const BulkOptions& options,
         std::function<void()> between);
    BulkSource& source() { return *source_; }
    // Until all documents that stand before this part's piece are done with: their readers have
    // asked for more, or their parts are gone.
    void wait_for_earlier() { lines_->wait_for_earlier(*bytes_); }

   private:
    std::shared_ptr<input::LineSplitter> lines_;
    const input::ByteSource* bytes_;  // the source has it
    std::optional<BulkSource> source_;
  };
  // `between` is called before the part waits for its next piece; may be empty.
  std::unique_ptr<Part> open(std::function<void()> between = {}) const;

  // Nothing more is handed out. Thread-safe.
  void stop() { lines_->stop(); }
  // Bytes of the input's file taken so far by all. Thread-safe.
  uint64_t bytes_taken() const { return lines_->bytes_taken(); }

 private:
  void open_lines(std::unique_ptr<input::ByteSource> bytes, size_t block);

  std::string path_;
  BulkOptions options_;
  std::shared_ptr<input::LineSplitter> lines_;
};

// Bytes of the input's file; 0: not known.
uint64_t input_bytes(const std::string& path);

}  // namespace postern::opensearch
