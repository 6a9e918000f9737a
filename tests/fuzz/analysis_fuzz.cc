// Any bytes through every analyzer, and the fast path against the general rules.
//
// Input: u8 analyzer, u8 token length (0 = 255), the text.
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "analysis/ascii_first_tokenizer.h"
#include "analysis/char_rules.h"
#include "analysis/standard_rules.h"
#include "postern/analyzer.h"
#include "postern/error.h"

namespace {

using namespace postern;
using namespace postern::analysis;

std::shared_ptr<const Analyzer> analyzer(unsigned kind, uint32_t length) {
  switch (kind % 8) {
    case 0:
      return standard_analyzer({length, {"a", "the"}});
    case 1:
      return whitespace_analyzer(length);
    case 2:
      return keyword_analyzer();
    case 3:
      return simple_analyzer();
    case 4:
      return stop_analyzer({"a", "the"});
    case 5:
      return english_analyzer();
    case 6:
      return delimited_analyzer(length);
    default:
      return delimited_freq_analyzer(length);
  }
}

void expect(bool holds) {
  if (!holds) __builtin_trap();
}

// Terms and payloads are readable with their padding, offsets lie within the text and ascend.
void run(const Analyzer& analyzer, std::string_view text) {
  const auto stream = analyzer.token_stream();
  std::vector<Token> tokens(7);
  uint32_t start = 0;
  unsigned sum = 0;
  stream->reset(text);
  try {
    while (const size_t count = stream->next(tokens)) {
      for (size_t i = 0; i < count; ++i) {
        const Token& t = tokens[i];
        expect(t.position_increment >= 1 && t.frequency >= 1);
        expect(t.start_offset >= start && t.end_offset >= t.start_offset);
        expect(t.end_offset <= text.size());
        start = t.start_offset;
        for (size_t j = 0; j < t.term_length + kTermPadding; ++j) sum += t.term[j];
        for (size_t j = 0; j < t.payload_length; ++j) sum += t.payload[j];
      }
    }
    expect(stream->final_offset() <= text.size());
  } catch (const InvalidDocument&) {
  }
  expect(sum != 0xdeadbeef);
}

template <class Rules>
void compare_paths(uint32_t length, std::string_view text) {
  const Rules rules(length);
  AsciiFirstTokenizer<Rules> fast(rules);
  AsciiFirstTokenizer<Rules> general(rules, Path::kGeneralOnly);
  std::vector<Token> a(1);
  std::vector<Token> b(1);
  fast.reset(text);
  general.reset(text);
  for (;;) {
    const size_t count = fast.next(a);
    expect(count == general.next(b));
    if (count == 0) break;
    const auto term = [](const Token& t) {
      return std::string_view(reinterpret_cast<const char*>(t.term), t.term_length);
    };
    expect(term(a[0]) == term(b[0]));
    expect(a[0].start_offset == b[0].start_offset && a[0].end_offset == b[0].end_offset);
  }
  expect(fast.final_offset() == general.final_offset());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const uint32_t length = data[1] == 0 ? 255 : data[1];
  // A block of the text's own size: any read outside it is seen.
  const std::vector<char> copy(data + 2, data + size);
  const std::string_view text(copy.data(), copy.size());
  run(*analyzer(data[0], length), text);
  if (length > 2) compare_paths<StandardRules>(length, text);
  compare_paths<WhitespaceRules>(length, text);
  compare_paths<LetterRules>(length, text);
  return 0;
}
