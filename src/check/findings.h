// What a check has found so far, and how far it is. Used by many threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "postern/error.h"

namespace postern::check {

struct Problem {
  std::string segment;  // empty: of the index as a whole
  std::string part;     // "postings", "files", …
  std::string message;  // names the file, and field, term or document where there is one
  // Not damaged for certain, but nothing this version can read and vouch for.
  bool unsupported = false;
};

class Findings {
 public:
  // More of one segment's part are only counted: a broken file breaks everything behind it.
  static constexpr size_t kShownPerPart = 20;

  void problem(std::string_view segment, std::string_view part, std::string_view message,
               bool unsupported = false);
  void note(std::string message);
  // Turns what a reader threw into a problem. Rethrows what is not the index's fault: IoError other
  // than a missing file, and anything that is no Error.
  // `context` is added unless the message has it.
  void caught(std::string_view segment, std::string_view part, const Error& error,
              std::string_view context = {});

  // Sorted, with a last entry for those that are not shown.
  std::vector<Problem> problems() const;
  std::vector<std::string> notes() const;
  bool missing_file() const { return missing_file_; }

 private:
  mutable std::mutex mutex_;  // guards the next two
  std::vector<Problem> problems_;
  std::vector<std::string> notes_;
  std::atomic<bool> missing_file_ = false;
};

// Bytes of files still to look at, and looked at.
class Meter {
 public:
  void plan(uint64_t bytes) { planned_ += bytes; }
  void done(uint64_t bytes) { done_ += bytes; }
  uint64_t planned() const { return planned_; }
  uint64_t done() const { return done_; }

 private:
  std::atomic<uint64_t> planned_ = 0;
  std::atomic<uint64_t> done_ = 0;
};

// A term as people can read it: quoted UTF-8, or hexadecimal digits; shortened.
std::string term_text(std::string_view term);

}  // namespace postern::check
