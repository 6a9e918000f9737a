#include "codec/terms_dict_reader.h"

#include <algorithm>
#include <string>

#include "base/byte_buffer.h"
#include "codec/lz4.h"

namespace postern::codec {
namespace {

class TermsDictReader {
 public:
  TermsDictReader(const TermsDictEntry& entry, std::span<const uint8_t> data, std::string_view file)
      : entry_(entry), file_(file), in_(entry.terms.of(data), file) {}

  void visit(const TermVisitor& visitor) {
    for (uint64_t ord = 0; ord < entry_.count; ++ord) {
      if (ord % kTermsBlock == 0) {
        start_block(ord);
      } else {
        if (ord % kTermsBlock == 1) unpack_block();
        next_term();
      }
      visitor(ord, term_.bytes());
    }
    if (in_.remaining() != 0 || left_ != 0) in_.fail("bytes behind the last term");
  }

 private:
  void start_block(uint64_t ord) {
    const int64_t start = entry_.block_starts.get(ord / kTermsBlock);
    if (left_ != 0 || start < 0 || static_cast<uint64_t>(start) != in_.position())
      in_.fail("a block of terms that should start at " + std::to_string(start));
    const auto first = in_.read_bytes(in_.read_vint());
    if (ord != 0 && !std::ranges::lexicographical_compare(term_.bytes(), first))
      in_.fail("terms out of order");
    term_.clear();
    term_.write_bytes(first);
    check_length();
  }

  void unpack_block() {
    const uint64_t length = in_.read_vint();
    if (length == 0 || length > entry_.max_block_length ||
        length > in_.remaining() * kMaxLz4Expansion)
      in_.fail("a block of " + std::to_string(length) + " bytes, " +
               std::to_string(entry_.max_block_length) + " at most");
    block_.clear();
    block_.write_bytes(term_.bytes());
    block_.resize(term_.size() + static_cast<size_t>(length));
    const auto packed = in_.read_bytes(in_.remaining());
    in_.seek(in_.position() - packed.size() +
             lz4_decompress(packed, {block_.data(), block_.size()}, term_.size(), file_));
    left_ = static_cast<size_t>(length);
  }

  void next_term() {
    ByteReader block({block_.data() + block_.size() - left_, left_}, file_);
    const uint8_t token = block.read_byte();
    uint64_t prefix = token & 15;
    uint64_t suffix = (token >> 4) + 1u;
    if (prefix == 15) prefix += block.read_vint();
    if (suffix == 16) suffix += block.read_vint();
    if (prefix > term_.size()) block.fail("a prefix longer than the term before");
    const auto rest = block.read_bytes(suffix);
    if (prefix < term_.size() && term_.data()[prefix] >= rest[0]) in_.fail("terms out of order");
    term_.resize(static_cast<size_t>(prefix));
    term_.write_bytes(rest);
    check_length();
    left_ = block.remaining();
  }

  void check_length() const {
    if (term_.size() > entry_.max_term_length)
      in_.fail("a term of " + std::to_string(term_.size()) + " bytes, " +
               std::to_string(entry_.max_term_length) + " at most");
  }

  const TermsDictEntry& entry_;
  std::string_view file_;
  ByteReader in_;
  ByteBuffer term_;
  ByteBuffer block_;  // the first term, then the others as they are packed
  size_t left_ = 0;   // of the block, at its end
};

}  // namespace

void visit_terms(const TermsDictEntry& entry, std::span<const uint8_t> data, std::string_view file,
                 const TermVisitor& visitor) {
  TermsDictReader(entry, data, file).visit(visitor);
}

void visit_term_index(const TermsDictEntry& entry, std::span<const uint8_t> data,
                      std::string_view file, const TermVisitor& visitor) {
  ByteReader in(entry.keys.of(data), file);
  for (uint64_t key = 0; key + 1 < entry.key_ends.count(); ++key) {
    const int64_t start = entry.key_ends.get(key);
    const int64_t end = entry.key_ends.get(key + 1);
    if (start < 0 || static_cast<uint64_t>(start) != in.position() || end < start)
      in.fail("an index key from " + std::to_string(start) + " to " + std::to_string(end));
    visitor(key, in.read_bytes(static_cast<uint64_t>(end - start)));
  }
}

}  // namespace postern::codec
