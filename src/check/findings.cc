#include "check/findings.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <tuple>

#include "base/utf8.h"

namespace postern::check {

void Findings::problem(std::string_view segment, std::string_view part, std::string_view message,
                       bool unsupported) {
  std::lock_guard guard(mutex_);
  problems_.push_back({std::string(segment), std::string(part), std::string(message), unsupported});
}

void Findings::note(std::string message) {
  std::lock_guard guard(mutex_);
  notes_.push_back(std::move(message));
}

void Findings::caught(std::string_view segment, std::string_view part, const Error& error,
                      std::string_view context) {
  if (const auto* io = dynamic_cast<const IoError*>(&error)) {
    if (io->error_number() != ENOENT) throw IoError(*io);
    missing_file_ = true;
  }
  std::string message = error.what();
  if (message.find(context) == std::string::npos) message += " (" + std::string(context) + ")";
  problem(segment, part, message, dynamic_cast<const NotSupported*>(&error) != nullptr);
}

std::vector<Problem> Findings::problems() const {
  std::lock_guard guard(mutex_);
  std::vector<Problem> sorted = problems_;
  std::ranges::stable_sort(sorted, {},
                           [](const Problem& p) { return std::tie(p.segment, p.part); });
  std::vector<Problem> shown;
  for (size_t i = 0; i < sorted.size();) {
    size_t end = i;
    while (end < sorted.size() && sorted[end].segment == sorted[i].segment &&
           sorted[end].part == sorted[i].part)
      ++end;
    const size_t last = std::min(end, i + kShownPerPart);
    shown.insert(shown.end(), sorted.begin() + static_cast<ptrdiff_t>(i),
                 sorted.begin() + static_cast<ptrdiff_t>(last));
    if (last != end)
      shown.push_back({sorted[i].segment, sorted[i].part,
                       "and " + std::to_string(end - last) + " more problems like these"});
    i = end;
  }
  return shown;
}

std::vector<std::string> Findings::notes() const {
  std::lock_guard guard(mutex_);
  std::vector<std::string> sorted = notes_;
  std::ranges::sort(sorted);
  return sorted;
}

std::string term_text(std::string_view term) {
  constexpr size_t kShown = 40;
  constexpr char kDigits[] = "0123456789abcdef";
  const bool text = find_malformed_utf8(term) == kNoError &&
                    std::ranges::none_of(term, [](char c) { return c >= 0 && c < ' '; });
  std::string out;
  if (text) {
    size_t end = std::min(term.size(), kShown);
    while (end < term.size() && (term[end] & 0xc0) == 0x80) --end;  // whole characters
    out = "'" + std::string(term.substr(0, end)) + "'";
  } else {
    for (char c : term.substr(0, kShown)) {
      out += kDigits[static_cast<uint8_t>(c) >> 4];
      out += kDigits[c & 15];
    }
  }
  if (term.size() > kShown) out += "… (" + std::to_string(term.size()) + " bytes)";
  return out;
}

}  // namespace postern::check
