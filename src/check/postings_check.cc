// Terms and postings (docs/formats/30-32), and the norms that belong to them (21).
#include <algorithm>
#include <bit>

#include "check/norm_column.h"
#include "check/parts.h"
#include "check/term_check.h"
#include "codec/postings_format.h"
#include "codec/segment_context.h"

namespace postern::check {
namespace {

using codec::FieldInfo;
using codec::FieldTerms;

constexpr const char* kPart = "postings";
constexpr const char* kNorms = "norms";

[[noreturn]] void fail(const Part& part, const FieldInfo& field, const std::string& what) {
  throw CorruptIndex(part.name() + ": field '" + field.name + "': " + what);
}

// One bit per document.
class DocSet {
 public:
  explicit DocSet(uint32_t max_doc) : words_((uint64_t{max_doc} + 63) / 64) {}
  void clear() { std::ranges::fill(words_, 0); }
  void add(uint32_t doc) { words_[doc / 64] |= uint64_t{1} << (doc % 64); }
  bool contains(uint32_t doc) const { return (words_[doc / 64] >> (doc % 64) & 1) != 0; }
  uint32_t size() const { return size_of({}); }
  // Members that are live; with an empty `live` all are.
  uint32_t size_of(std::span<const uint64_t> live) const {
    uint32_t n = 0;
    for (size_t i = 0; i < words_.size(); ++i)
      n += static_cast<uint32_t>(std::popcount(live.empty() ? words_[i] : words_[i] & live[i]));
    return n;
  }

 private:
  std::vector<uint64_t> words_;
};

class PostingsCheck {
 public:
  explicit PostingsCheck(const Part& part) : part_(part), docs_(part.segment.max_doc()) {}

  Counts run() {
    part_.guarded(kNorms, [&] { check_norm_entries(); });
    part_.guarded(kPart, [&] {
      const codec::TermsReader* terms = part_.segment.terms();
      if (terms == nullptr) return;
      bool whole = true;
      TermCheck check(part_.segment);
      for (const FieldTerms& field : terms->fields())
        whole &= part_.guarded(
            kPart, [&] { check_field(field, check); }, info_of(field));
      check_attributes(*terms);
      if (whole) check.check_maxima();
    });
    // Norms of fields without a term must all be 0.
    for (const FieldInfo& info : part_.segment.core_fields().fields) {
      const codec::TermsReader* terms = nullptr;
      if (!part_.guarded(kPart, [&] { terms = part_.segment.terms(); })) break;
      if (terms != nullptr && terms->field(info.name) != nullptr) continue;
      docs_.clear();
      part_.guarded(
          kNorms, [&] { check_norms(info); }, &info);
    }
    return {{"terms", terms_},
            {"postings", postings_},
            {"occurrences", occurrences_},
            {"norms", norms_}};
  }

 private:
  const FieldInfo* info_of(const FieldTerms& field) const {
    return part_.segment.core_fields().by_number(field.number());
  }

  void check_field(const FieldTerms& field, TermCheck& check) {
    const FieldInfo& info = *info_of(field);
    docs_.clear();
    NormColumn norms;
    part_.guarded(kNorms, [&] {
      if (info.has_norms())
        norms = NormColumn(*part_.segment.norms(), info.number, field.doc_count());
    });
    check.start_field(field, norms);
    codec::TermsCursor cursor = field.terms();
    uint64_t sum_doc_freq = 0;
    uint64_t sum_total_term_freq = 0;
    std::vector<uint8_t> last;
    bool first = true;
    while (cursor.next()) {
      if (first && !std::ranges::equal(cursor.term(), field.min_term()))
        fail(part_, info, "its first term is not the recorded minimum");
      first = false;
      last.assign(cursor.term().begin(), cursor.term().end());
      check.check_term(cursor.term(), cursor.state(), [&](uint32_t doc) { docs_.add(doc); });
      ++terms_;
      sum_doc_freq += cursor.state().doc_freq;
      sum_total_term_freq += cursor.state().total_term_freq;
    }
    postings_ += sum_doc_freq;
    if (field.parts().positions) occurrences_ += sum_total_term_freq;
    if (!std::ranges::equal(last, field.max_term()))
      fail(part_, info, "its last term is not the recorded maximum");
    expect(info, "sum of document frequencies", sum_doc_freq, field.sum_doc_freq());
    expect(info, "sum of term frequencies", sum_total_term_freq, field.sum_total_term_freq());
    expect(info, "number of documents with a term", docs_.size(), field.doc_count());
    part_.guarded(
        kNorms, [&] { check_norms(info); }, &info);
  }

  void expect(const FieldInfo& info, const char* what, uint64_t found, uint64_t recorded) const {
    if (found != recorded)
      fail(part_, info,
           std::string("the ") + what + " is " + std::to_string(found) + ", recorded is " +
               std::to_string(recorded));
  }

  // A field says that it has postings exactly when the dictionary has it.
  void check_attributes(const codec::TermsReader& terms) const {
    for (const FieldInfo& info : part_.segment.core_fields().fields) {
      const bool says_so = std::ranges::any_of(
          info.attributes, [](const auto& a) { return a.first == codec::kPostingsFormatKey; });
      if (says_so && terms.field(info.name) == nullptr)
        fail(part_, info, "has a postings format but no term");
      if (!says_so && terms.field(info.name) != nullptr)
        fail(part_, info, "has terms but no postings format");
    }
  }

  void check_norm_entries() const {
    const codec::NormsReader* norms = part_.segment.norms();
    if (norms == nullptr) return;
    for (const FieldInfo& info : part_.segment.core_fields().fields) {
      if (info.has_norms() == norms->has_field(info.number)) continue;
      fail(part_, info, info.has_norms() ? "has no norms" : "has norms, though it omits them");
    }
  }

  // Live documents have a norm other than 0 exactly when they have a term; docs_ has those.
  void check_norms(const FieldInfo& info) {
    if (!info.has_norms()) return;
    const codec::NormsReader& norms = *part_.segment.norms();
    norms.check_jumps(info.number);
    uint32_t with_terms = 0;
    norms.for_each(info.number, [&](uint32_t doc, int64_t norm) {
      ++norms_;
      if (!part_.segment.is_live(doc)) return;
      const bool has_term = docs_.contains(doc);
      with_terms += has_term;
      if ((norm != 0) != has_term)
        fail(part_, info,
             "document " + std::to_string(doc) + " has the norm " + std::to_string(norm) +
                 (has_term ? " and terms" : " and no term"));
    });
    const uint32_t expected = docs_.size_of(part_.segment.live_docs());
    if (with_terms != expected)
      fail(part_, info,
           std::to_string(expected - with_terms) + " documents have terms but no norm");
  }

  const Part& part_;
  DocSet docs_;  // with a term of the current field
  uint64_t terms_ = 0;
  uint64_t postings_ = 0;
  uint64_t occurrences_ = 0;
  uint64_t norms_ = 0;
};

}  // namespace

Counts check_postings(const Part& part) { return PostingsCheck(part).run(); }

}  // namespace postern::check
