// Every term of Lucene's own indexes, sought in several orders, against the postings cursor.
#include "read/term_docs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codec/golden_index.h"
#include "codec/test_files.h"

namespace postern::read {
namespace {

using Docs = std::vector<uint32_t>;
struct Term {
  std::string bytes;
  Docs docs;
};

std::vector<Term> terms_of(SegmentReader& segment, const codec::FieldTerms& field) {
  std::vector<Term> out;
  codec::TermsCursor cursor = field.terms();
  while (cursor.next()) {
    Term term{{cursor.term().begin(), cursor.term().end()}, {}};
    codec::PostingsCursor docs = segment.postings()->postings(field.parts(), cursor.state());
    while (docs.next_doc() != codec::PostingsCursor::kNoMoreDocs) term.docs.push_back(docs.doc());
    out.push_back(std::move(term));
  }
  return out;
}

Docs rest_of(TermDocs& docs) {
  Docs out;
  while (true) {
    const uint32_t doc = docs.next_doc();
    if (doc == TermDocs::kNoMoreDocs) return out;
    out.push_back(doc);
  }
}

void expect_found(TermDocs& docs, const Term& term) {
  ASSERT_TRUE(docs.seek(term.bytes)) << term.bytes;
  EXPECT_EQ(term.docs.size(), docs.doc_freq()) << term.bytes;
  EXPECT_EQ(term.docs, rest_of(docs)) << term.bytes;
  EXPECT_EQ(TermDocs::kNoMoreDocs, docs.next_doc());
}

template <class Check>
void for_each_field(Check check) {
  for (const auto& golden : codec::testing::golden_segments(".si")) {
    auto directory = open_directory(golden.folder);
    const codec::Commit commit = *codec::read_latest_commit(*directory);
    for (const auto& info : commit.segments) {
      SegmentReader segment(*directory, info);
      if (segment.terms() == nullptr) continue;
      for (const codec::FieldTerms& field : segment.terms()->fields()) check(segment, field);
    }
  }
}

TEST(TermDocs, TermsInOrderBackwardsAndMixed) {
  size_t terms = 0;
  for_each_field([&](SegmentReader& segment, const codec::FieldTerms& field) {
    const std::vector<Term> all = terms_of(segment, field);
    terms += all.size();
    TermDocs docs(segment, field.name());
    for (const Term& term : all) expect_found(docs, term);
    for (auto term = all.rbegin(); term != all.rend(); ++term) expect_found(docs, *term);
    for (size_t i = 0; i < all.size(); ++i) expect_found(docs, all[i * 7919 % all.size()]);
  });
  EXPECT_GT(terms, 10000u);
}

TEST(TermDocs, AbsentTermsBetweenPresentOnes) {
  for_each_field([&](SegmentReader& segment, const codec::FieldTerms& field) {
    const std::vector<Term> all = terms_of(segment, field);
    TermDocs docs(segment, field.name());
    for (size_t i = 0; i < all.size(); ++i) {
      for (const std::string& other : {all[i].bytes + '\0', all[i].bytes + "\xff"}) {
        const bool there =
            std::ranges::any_of(all, [&](const Term& t) { return t.bytes == other; });
        EXPECT_EQ(there, docs.seek(other));
        if (!there) {
          EXPECT_EQ(0u, docs.doc_freq());
          EXPECT_EQ(TermDocs::kNoMoreDocs, docs.next_doc());
        }
      }
      if (i + 1 < all.size()) expect_found(docs, all[i + 1]);
      if (all.size() > 2000) i += 13;  // the list is scanned for each
    }
  });
}

TEST(TermDocs, AnUnknownFieldHasNoTerms) {
  auto directory = open_directory(codec::golden_index("terms"));
  const codec::Commit commit = *codec::read_latest_commit(*directory);
  SegmentReader segment(*directory, commit.segments[0]);
  TermDocs docs(segment, "no such field");
  EXPECT_FALSE(docs.seek("x"));
  EXPECT_EQ(TermDocs::kNoMoreDocs, docs.next_doc());
}

}  // namespace
}  // namespace postern::read
