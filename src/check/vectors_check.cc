// Term vectors (docs/formats/13): sound in themselves, and the same as the postings.
//
// Looking each term of each vector up in the postings would take quadratic time. Instead both sides
// are read once in their own order and reduced to a digest per document and field; only where those
// differ is the term searched that makes the difference.
#include <algorithm>
#include <map>
#include <set>

#include "check/parts.h"
#include "check/vector_difference.h"
#include "check/vector_digest.h"
#include "check/vector_walk.h"

namespace postern::check {
namespace {

constexpr const char* kPart = "term vectors";

// One field of one document.
struct Pair {
  uint32_t doc = 0;
  Comparable what;
  uint64_t digest = 0;
};
using Pairs = std::vector<Pair>;  // documents ascending

class VectorsCheck {
 public:
  explicit VectorsCheck(const Part& part) : part_(part) {}

  Counts run() {
    part_.guarded(kPart, [&] {
      if (part_.segment.term_vectors() == nullptr) return;
      do {
        collect();
        for (const auto& [number, pairs] : pairs_) {
          part_.guarded(
              kPart, [&] { compare(number, pairs); },
              part_.segment.core_fields().by_number(number));
          done_.insert(number);
        }
      } while (!put_off_.empty());
    });
    return {{"vectors", vectors_}, {"vector_terms", terms_}};
  }

 private:
  static constexpr uint32_t kMaxDeletedSearched = 8;    // of a field
  static constexpr size_t kMaxPairs = size_t{1} << 24;  // 400 MB

  // Reads all vectors and keeps the digests of fields that are not done; when they become too many,
  // the largest field is put off to another pass.
  void collect() {
    const bool first_pass = done_.empty();
    put_off_.clear();
    pairs_.clear();
    size_t held = 0;
    VectorWalk walk(part_.segment);
    for (uint32_t doc = 0; doc < part_.segment.max_doc(); ++doc) {
      walk.visit(doc, [&](const VectorField& field) {
        if (first_pass) {
          ++vectors_;
          terms_ += field.terms;
        }
        if (done_.contains(field.number) || put_off_.contains(field.number)) return;
        pairs_[field.number].push_back({doc, field.what, field.digest});
        if (++held > kMaxPairs) held -= put_off_largest();
      });
    }
  }

  // Never the only field: one alone is as large as the documents.
  size_t put_off_largest() {
    if (pairs_.size() < 2) return 0;
    const auto largest =
        std::ranges::max_element(pairs_, {}, [](const auto& entry) { return entry.second.size(); });
    const size_t freed = largest->second.size();
    put_off_.insert(largest->first);
    pairs_.erase(largest);
    return freed;
  }

  void compare(uint32_t number, const Pairs& pairs) {
    const codec::FieldInfo& info = *part_.segment.core_fields().by_number(number);
    const codec::FieldTerms* terms =
        part_.segment.terms() == nullptr ? nullptr : part_.segment.terms()->field(info.name);
    std::vector<uint64_t> sums(pairs.size());
    if (terms != nullptr) add_postings(*terms, pairs, sums);
    uint32_t deleted = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].digest == sums[i]) continue;
      // A document that was refused half-way, and so is deleted, may have terms in the postings
      // only. To see that takes the whole field; a few are enough to find damage.
      const bool live = part_.segment.is_live(pairs[i].doc);
      if (!live && ++deleted > kMaxDeletedSearched) continue;
      const std::string difference =
          difference_of(part_.segment, info, pairs[i].doc, pairs[i].what,
                        live ? Compare::kBoth : Compare::kVectorInPostings);
      if (difference.empty()) continue;
      throw CorruptIndex(part_.name() + ": field '" + info.name + "', document " +
                         std::to_string(pairs[i].doc) + ": " + difference);
    }
  }

  void add_postings(const codec::FieldTerms& terms, const Pairs& pairs,
                    std::vector<uint64_t>& sums) {
    codec::TermsCursor cursor = terms.terms();
    while (cursor.next()) {
      const uint64_t term = TermDigest::of(cursor.term());
      codec::PostingsCursor docs =
          part_.segment.postings()->postings(terms.parts(), cursor.state());
      size_t at = 0;
      while (docs.next_doc() != codec::PostingsCursor::kNoMoreDocs) {
        at = advance(pairs, at, docs.doc());
        if (at == pairs.size()) break;
        if (pairs[at].doc == docs.doc()) sums[at] += digest_of_posting(docs, term, pairs[at].what);
      }
    }
  }

  // The first pair from `at` on that is not before `doc`.
  static size_t advance(const Pairs& pairs, size_t at, uint32_t doc) {
    size_t step = 1;
    while (at + step < pairs.size() && pairs[at + step].doc < doc) step *= 2;
    const auto end = pairs.begin() + static_cast<ptrdiff_t>(std::min(at + step, pairs.size()));
    return static_cast<size_t>(
        std::lower_bound(pairs.begin() + static_cast<ptrdiff_t>(at), end, doc,
                         [](const Pair& pair, uint32_t d) { return pair.doc < d; }) -
        pairs.begin());
  }

  const Part& part_;
  std::map<uint32_t, Pairs> pairs_;  // by field number
  std::set<uint32_t> done_;
  std::set<uint32_t> put_off_;
  uint64_t vectors_ = 0;
  uint64_t terms_ = 0;
};

}  // namespace

Counts check_term_vectors(const Part& part) { return VectorsCheck(part).run(); }

}  // namespace postern::check
