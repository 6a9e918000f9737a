#include "input/line_splitter.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace postern::input {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

void skip_space(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
}

bool skip(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

}  // namespace

LineRole json_line_role(std::string_view line) {
  skip_space(line);
  if (line.empty()) return LineRole::kBlank;
  if (!skip(line, "{")) return LineRole::kDocument;
  skip_space(line);
  if (!skip(line, "\"")) return LineRole::kDocument;
  if (!skip(line, "op\"")) {
    // Escapes may spell it, in twelve bytes at most.
    std::string_view key = line.substr(0, std::min<size_t>(line.find('"'), 13));
    bool may_be_op = key.size() <= 12 && key.find('\\') != key.npos;
    return may_be_op ? LineRole::kAlone : LineRole::kDocument;
  }
  skip_space(line);
  skip(line, ":");
  skip_space(line);
  return line.starts_with("\"add\"") ? LineRole::kDocument : LineRole::kAlone;
}

class LineSplitter::Part : public ByteSource {
 public:
  Part(std::shared_ptr<LineSplitter> splitter, std::function<void()> between)
      : splitter_(std::move(splitter)), between_(std::move(between)) {}
  ~Part() override { splitter_->leave(*this); }

  size_t read(std::span<char> to) override {
    at.begins = false;
    if (from == size) {
      if (between_) between_();
      if (!splitter_->take(*this)) return 0;
      at.begins = !continues;
    }
    size_t n = std::min(to.size(), size - from);
    std::memcpy(to.data(), bytes.data() + from, n);
    from += n;
    return n;
  }
  const Piece* piece() const override { return &at; }
  uint64_t bytes_taken() const override { return splitter_->bytes_taken(); }

  // The piece in hand, written by the splitter.
  ByteBuffer bytes;
  size_t from = 0;
  size_t size = 0;
  Piece at;
  uint64_t number = 0;
  bool held = false;
  bool alone = false;
  bool continues = false;  // begins inside a line

 private:
  std::shared_ptr<LineSplitter> splitter_;
  std::function<void()> between_;
};

LineSplitter::LineSplitter(std::unique_ptr<ByteSource> source, size_t block,
                           std::function<LineRole(std::string_view)> role)
    : block_(block), role_(std::move(role)), source_(std::move(source)) {
  carried_.resize(block_);
}

std::unique_ptr<ByteSource> LineSplitter::open_part(std::shared_ptr<LineSplitter> splitter,
                                                    std::function<void()> between) {
  return std::make_unique<Part>(std::move(splitter), std::move(between));
}

void LineSplitter::stop() {
  std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

uint64_t LineSplitter::bytes_taken() const {
  std::lock_guard lock(mutex_);
  return source_->bytes_taken();
}

void LineSplitter::give_back(Part& part) {
  std::lock_guard lock(mutex_);
  if (!std::exchange(part.held, false)) return;
  std::erase(out_, &part);
  if (part.alone) alone_ = false;
  changed_.notify_all();
}

// A reader that stops inside a line stops all: nobody else can make sense of the rest.
void LineSplitter::leave(Part& part) {
  give_back(part);
  std::lock_guard lock(mutex_);
  if (open_ == &part) stopped_ = true;
  changed_.notify_all();
}

bool LineSplitter::take(Part& part) {
  give_back(part);
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return stopped_ || (!alone_ && (open_ == nullptr || open_ == &part)); });
  part.from = part.size = 0;
  if (stopped_) return false;
  part.bytes.resize(block_);
  size_t have = 0;
  try {
    have = fill(part.bytes);
  } catch (...) {
    stopped_ = true;
    changed_.notify_all();
    throw;
  }
  if (have == 0) {
    open_ = nullptr;
    changed_.notify_all();
    return false;
  }
  cut(part, have);
  part.held = true;
  part.number = ++pieces_;
  out_.push_back(&part);
  if (part.alone) {
    alone_ = true;
    changed_.wait(lock, [&] { return stopped_ || out_.size() == 1; });
    if (out_.size() != 1) part.size = 0;  // a reader has left its piece for good
  }
  return part.size != 0;
}

bool LineSplitter::earlier_out(const Part& part) const {
  return std::any_of(out_.begin(), out_.end(),
                     [&](const Part* other) { return other->number < part.number; });
}

void LineSplitter::wait_for_earlier(const ByteSource& part) {
  const auto& mine = static_cast<const Part&>(part);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || !earlier_out(mine); });
}

// Whether there is a whole line, or two of them that belong together.
bool LineSplitter::has_unit(const ByteBuffer& bytes, size_t have) const {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), have);
  const size_t feed = text.find('\n');
  if (feed == text.npos) return false;
  const bool two = open_ == nullptr ? role_(text.substr(0, feed)) == LineRole::kWithNext
                                    : within_ == Within::kFirst;
  return !two || text.find('\n', feed + 1) != text.npos;
}

// What was carried over and, unless that has a whole document already, what one read brings; as
// many as it takes for a whole one.
size_t LineSplitter::fill(ByteBuffer& bytes) {
  size_t have = std::exchange(carried_size_, 0);
  std::memcpy(bytes.data(), carried_.data(), have);
  while (have < block_ && !ended_ && !has_unit(bytes, have)) {
    size_t n = source_->read({reinterpret_cast<char*>(bytes.data()) + have, block_ - have});
    ended_ = n == 0;
    have += n;
    if (!started_ && (have >= kMark.size() || ended_)) {
      started_ = true;
      if (have >= kMark.size() && std::memcmp(bytes.data(), kMark.data(), kMark.size()) == 0) {
        have -= kMark.size();
        std::memmove(bytes.data(), bytes.data() + kMark.size(), have);
      }
    }
  }
  return have;
}

// Decides how much of `have` bytes the piece is, and carries the rest over.
void LineSplitter::cut(Part& part, size_t have) {
  const std::string_view rest(reinterpret_cast<const char*>(part.bytes.data()), have);
  part.at = {.line = lines_, .documents = documents_};
  part.continues = std::exchange(open_, nullptr) == &part;
  part.alone = part.continues && part.alone;
  Within within = part.continues ? within_ : Within::kNone;
  size_t size = 0;     // of whole documents
  uint64_t lines = 0;  // of what comes behind them
  uint64_t documents = 0;
  size_t at = 0;
  while (at < have) {
    const size_t feed = rest.find('\n', at);
    const bool whole = feed != rest.npos || ended_;
    const size_t end = feed == rest.npos ? have : feed + 1;
    if (within == Within::kNone) {
      const LineRole role = role_(rest.substr(at, feed == rest.npos ? feed : feed - at));
      if (role == LineRole::kAlone && at != 0 && !part.alone) break;
      documents += role == LineRole::kDocument || role == LineRole::kWithNext ? 1 : 0;
      within = role == LineRole::kWithNext ? Within::kFirst : Within::kLine;
      // What follows an operation in its piece stays there, in order: were it given to others,
      // input with an update on every other line would be handed out line by line.
      part.alone |= role == LineRole::kAlone;
    } else if (within == Within::kTwo) {
      within = Within::kLine;
    }
    at = end;
    lines += feed == rest.npos ? 0 : 1;
    if (!whole) break;
    within = within == Within::kFirst ? Within::kTwo : Within::kNone;
    if (within == Within::kTwo && !ended_) continue;
    size = at;
    lines_ += std::exchange(lines, 0);
    documents_ += std::exchange(documents, 0);
  }
  if (size == 0) {  // less than one document
    size = at;
    lines_ += lines;
    documents_ += documents;
    open_ = &part;
    within_ = within;
  }
  carried_size_ = have - size;
  std::memcpy(carried_.data(), part.bytes.data() + size, carried_size_);
  part.size = size;
}

}  // namespace postern::input
