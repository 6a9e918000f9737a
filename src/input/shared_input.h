// One input for several threads: each reads a part of it through a source of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "input/folder_source.h"
#include "input/line_splitter.h"
#include "input/source.h"

namespace postern::input {

class SharedInput {
 public:
  // Opens the input. Throws IoError.
  SharedInput(InputInfo input, SourceOptions options);

  // The next reader's source, which keeps the input open. Sources hand out the input's documents
  // between them, each once: pieces of about a block of lines, or files of a folder, in the order
  // of the input, and in order within a piece. A piece with an operation (Event::kFlush, kCommit)
  // begins with it; it comes when all documents before it have been handed out and their sources
  // asked for more, and no other piece follows until its own source has handed out all of it and is
  // asked for more. `between` is called before the source asks for its next
  // piece: it may wait for others then. One source alone reads the input as it is. Not thread-safe;
  // each source then belongs to a thread.
  std::unique_ptr<Source> open(std::function<void()> between = {});

  // Nothing more is handed out: sources come to their end behind the piece they have. Thread-safe.
  void stop();

  // Bytes of the input's files taken so far by all. Thread-safe.
  uint64_t bytes_taken() const;

 private:
  InputInfo input_;
  SourceOptions options_;
  std::shared_ptr<FolderSource::Files> files_;  // of a folder
  std::shared_ptr<LineSplitter> lines_;         // of anything else
};

}  // namespace postern::input
