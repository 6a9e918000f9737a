// One stream of lines for several readers: each takes whole lines, a piece at a time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/byte_buffer.h"
#include "input/byte_source.h"

namespace postern::input {

enum class LineRole : uint8_t {
  kBlank,     // no document
  kDocument,  // one, or a block of them
  kWithNext,  // belongs to the line behind it, whatever that is; the two are one document
  kAlone      // an operation: what stands before it is finished first, what follows its piece waits
};

// Of a JSON line: kAlone for operations other than "add". Any number of bytes may be missing at
// the end.
LineRole json_line_role(std::string_view line);

class LineSplitter {
 public:
  // Pieces have at most `block` bytes; a longer line is handed out in several, all to one reader.
  LineSplitter(std::unique_ptr<ByteSource> source, size_t block,
               std::function<LineRole(std::string_view)> role);

  // A reader's part of the lines. The splitter is shared by all parts and lives as long as one
  // does. `between` is called before the reader waits for its next piece; may be empty.
  static std::unique_ptr<ByteSource> open_part(std::shared_ptr<LineSplitter> splitter,
                                               std::function<void()> between);

  // Waits until all pieces that stand before the one `part` has are done with: their readers have
  // asked for more, or are gone. Ends early when the input is stopped. `part` is one of this
  // splitter's, and the calling thread's.
  void wait_for_earlier(const ByteSource& part);

  // Nothing more is handed out.
  void stop();
  uint64_t bytes_taken() const;

 private:
  class Part;
  // Where bytes end: between documents, in a line, in the first of two that belong together, or
  // between those.
  enum class Within : uint8_t { kNone, kLine, kFirst, kTwo };

  bool take(Part& part);
  void give_back(Part& part);
  void leave(Part& part);
  bool has_unit(const ByteBuffer& bytes, size_t have) const;
  size_t fill(ByteBuffer& bytes);
  void cut(Part& part, size_t have);
  bool earlier_out(const Part& part) const;

  const size_t block_;
  const std::function<LineRole(std::string_view)> role_;
  mutable std::mutex mutex_;  // guards all that follows
  std::condition_variable changed_;
  std::unique_ptr<ByteSource> source_;
  ByteBuffer carried_;  // read, and not handed out
  size_t carried_size_ = 0;
  uint64_t lines_ = 0;  // handed out
  uint64_t documents_ = 0;
  std::vector<const Part*> out_;   // those whose pieces are not done with
  uint64_t pieces_ = 0;            // handed out
  const Part* open_ = nullptr;     // has the beginning of a line, or of two that belong together
  Within within_ = Within::kNone;  // where that ends
  bool alone_ = false;             // a piece that stands alone is out, or waits for the others
  bool started_ = false;
  bool ended_ = false;    // the source
  bool stopped_ = false;  // for all readers
};

}  // namespace postern::input
