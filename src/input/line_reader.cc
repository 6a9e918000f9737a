#include "input/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace postern::input {

LineReader::LineReader(std::unique_ptr<ByteSource> source, size_t longest, size_t block)
    : source_(std::move(source)), longest_(longest), block_(block) {
  buffer_.resize(block_ + kPadding);
}

bool LineReader::fill() {
  if (ended_) return false;
  if (from_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + from_, to_ - from_);
    to_ -= from_;
    from_ = 0;
  }
  // A giant line must not cost its memory for ever.
  if (to_ <= block_ && buffer_.size() > 32 * block_) {
    ByteBuffer smaller;
    smaller.resize(2 * block_ + kPadding);
    std::memcpy(smaller.data(), buffer_.data(), to_);
    buffer_ = std::move(smaller);
  }
  if (to_ + block_ / 2 + kPadding > buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::span<char> room(reinterpret_cast<char*>(buffer_.data()) + to_,
                             buffer_.size() - kPadding - to_);
  const size_t n = source_->read(room);
  to_ += n;
  std::memset(buffer_.data() + to_, 0, kPadding);
  ended_ = n == 0;
  if (const Piece* piece = source_->piece(); piece != nullptr && piece->begins && n != 0) {
    number_ = piece->line;
    piece_begins_ = piece->documents;
  }
  return n != 0;
}

void LineReader::skip_mark() {
  started_ = true;
  if (source_->piece() != nullptr) return;  // whoever made the pieces saw to it
  while (to_ - from_ < 3 && fill()) {
  }
  if (to_ - from_ >= 3 && std::memcmp(buffer_.data() + from_, "\xEF\xBB\xBF", 3) == 0) {
    from_ += 3;
    text_bytes_ += 3;
  }
}

std::optional<Line> LineReader::next() {
  if (!started_) skip_mark();
  piece_documents_.reset();
  size_t searched = 0;  // bytes behind from_ known to hold no line feed
  while (true) {
    const uint8_t* begin = buffer_.data() + from_;
    const size_t have = to_ - from_;
    const void* feed =
        have > searched ? std::memchr(begin + searched, '\n', have - searched) : nullptr;
    if (feed == nullptr && have <= longest_) {
      searched = have;
      if (fill()) continue;
      if (have == 0) return std::nullopt;
      begin = buffer_.data() + from_;  // fill may have moved the bytes
    }
    const size_t length =
        feed != nullptr ? static_cast<size_t>(static_cast<const uint8_t*>(feed) - begin) : have;
    if (length > longest_) return pass_over();
    const size_t whole = length + (feed != nullptr ? 1 : 0);
    from_ += whole;
    text_bytes_ += whole;
    piece_documents_ = std::exchange(piece_begins_, std::nullopt);
    return Line{.text = {reinterpret_cast<const char*>(begin), length}, .number = ++number_};
  }
}

std::optional<Line> LineReader::pass_over() {
  while (true) {
    const uint8_t* begin = buffer_.data() + from_;
    const size_t have = to_ - from_;
    const void* feed = have != 0 ? std::memchr(begin, '\n', have) : nullptr;
    const size_t gone =
        feed != nullptr ? static_cast<size_t>(static_cast<const uint8_t*>(feed) - begin) + 1 : have;
    from_ += gone;
    text_bytes_ += gone;
    if (feed != nullptr || !fill()) break;
  }
  piece_documents_ = std::exchange(piece_begins_, std::nullopt);
  return Line{.text = {}, .number = ++number_, .too_long = true};
}

std::string_view LineReader::peek() {
  if (!started_) skip_mark();
  while (true) {
    const std::string_view have(reinterpret_cast<const char*>(buffer_.data()) + from_, to_ - from_);
    const size_t last = have.rfind('\n');
    const bool enough = have.size() >= block_ / 2 || source_->piece() != nullptr;
    if (enough && last != have.npos) return have.substr(0, last + 1);
    if (have.size() > longest_) return {};
    if (!fill()) return {reinterpret_cast<const char*>(buffer_.data()) + from_, to_ - from_};
  }
}

}  // namespace postern::input
