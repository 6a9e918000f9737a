#include "check/vector_difference.h"

#include <algorithm>
#include <map>

#include "check/findings.h"

namespace postern::check {
namespace {

// What counts of one term in the document, as text.
class Description {
 public:
  explicit Description(const Comparable& what) : what_(what) {}
  void freq(uint32_t n) {
    if (what_.freqs) text_ += "frequency " + std::to_string(n);
  }
  void occurrence(uint32_t position, uint32_t start, uint32_t end,
                  std::span<const uint8_t> payload) {
    constexpr uint32_t kShown = 5;
    if (!what_.occurrences()) return;
    digest_.add_occurrence(what_, position, start, end, payload);
    if (++shown_ > kShown) return;
    if (what_.positions) text_ += ", position " + std::to_string(position);
    if (what_.offsets) text_ += ", offsets " + std::to_string(start) + "-" + std::to_string(end);
    if (what_.payloads && !payload.empty())
      text_ += ", payload of " + std::to_string(payload.size()) + " bytes";
  }
  const std::string& text() const { return text_; }
  bool operator==(const Description& other) const {
    return text_ == other.text_ && shown_ == other.shown_ &&
           digest_.value() == other.digest_.value();
  }

 private:
  Comparable what_;
  std::string text_;
  uint32_t shown_ = 0;
  TermDigest digest_{0};
};

// The sink of codec::TermVectorsReader: one field's terms.
struct Vector {
  Vector(uint32_t field, const Comparable& comparable) : number(field), what(comparable) {}

  void start_field(uint32_t field, const TermVectors&) { wanted = field == number; }
  void start_term(std::span<const uint8_t> term, uint32_t freq) {
    if (!wanted) return;
    now = &terms.try_emplace({term.begin(), term.end()}, what).first->second;
    now->freq(freq);
    position = start = 0;
  }
  void add_occurrence(uint32_t position_delta, uint32_t start_delta, uint32_t length,
                      std::span<const uint8_t> payload) {
    if (!wanted) return;
    position += position_delta;
    start += start_delta;
    now->occurrence(position, start, start + length, payload);
  }

  uint32_t number;
  Comparable what;
  bool wanted = false;
  std::map<std::string, Description> terms;
  Description* now = nullptr;
  uint32_t position = 0;
  uint32_t start = 0;
};

Description describe(codec::PostingsCursor& docs, const Comparable& what) {
  Description out(what);
  out.freq(docs.freq());
  for (uint32_t i = 0; what.occurrences() && i < docs.freq(); ++i) {
    const uint32_t position = docs.next_position();
    out.occurrence(position, docs.start_offset(), docs.end_offset(), docs.payload());
  }
  return out;
}

}  // namespace

std::string difference_of(read::SegmentReader& segment, const codec::FieldInfo& field, uint32_t doc,
                          const Comparable& what, Compare direction) {
  Vector vector(field.number, what);
  segment.term_vectors()->visit(doc, vector);
  const codec::TermsReader* terms = segment.terms();
  const codec::FieldTerms* its_terms = terms == nullptr ? nullptr : terms->field(field.name);
  if (its_terms != nullptr) {
    codec::TermsCursor cursor = its_terms->terms();
    while (cursor.next()) {
      codec::PostingsCursor docs = segment.postings()->postings(its_terms->parts(), cursor.state());
      while (docs.next_doc() < doc) continue;
      if (docs.doc() != doc) continue;
      const std::string term(cursor.term().begin(), cursor.term().end());
      const Description posting = describe(docs, what);
      const auto at = vector.terms.find(term);
      if (at == vector.terms.end() && direction == Compare::kVectorInPostings) continue;
      if (at == vector.terms.end())
        return "term " + term_text(term) + " is in the postings but not in its vector";
      if (!(at->second == posting))
        return "term " + term_text(term) + " has " + at->second.text() + " in its vector and " +
               posting.text() + " in the postings";
      vector.terms.erase(at);
    }
  }
  if (vector.terms.empty())
    return direction == Compare::kBoth ? "its vector and the postings differ" : "";
  return "term " + term_text(vector.terms.begin()->first) +
         " is in its vector but not in the postings";
}

}  // namespace postern::check
