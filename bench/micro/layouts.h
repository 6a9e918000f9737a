// The five layouts of the term hash behind one interface, for the benchmarks that compare them:
// Lucene's with shared and separate pools, and postern's with shared and separate pools and with
// text in the term's state. Tokens come ready, one document after another; the field has positions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "invert/field_inverter.h"
#include "lucene_layout/field_postings.h"

namespace postern::bench {

using lucene_layout::TermBytes;

// A position for every token, or, as in the proposal's benchmark, 0 for all of them.
enum class Positions : uint8_t { kAscending, kZero };

class LuceneLayout {
 public:
  LuceneLayout(PoolLayout layout, Positions positions) : layout_(layout), positions_(positions) {}
  // Starts with new pools.
  void renew() {
    field_.reset();
    pools_.emplace(layout_);
    field_.emplace(*pools_, IndexOptions::kPositions);
  }
  void add_document(uint32_t doc, std::span<const TermBytes> tokens) {
    uint32_t position = 0;
    const uint32_t step = positions_ == Positions::kAscending;
    for (TermBytes term : tokens) {
      field_->add({.term = term, .doc = doc, .position = position, .payload = {}});
      position += step;
    }
  }
  uint32_t finish() { return field_->term_count(); }
  const uint32_t* sort() { return field_->sort_terms().data(); }
  uint64_t bytes() const { return pools_->counter.bytes; }

 private:
  PoolLayout layout_;
  Positions positions_;
  std::optional<lucene_layout::Pools> pools_;
  std::optional<lucene_layout::FieldPostings> field_;
};

// Hands out tokens that are there already: the text of a value is the memory of their TermBytes.
class ReadyTokens : public TokenStream {
 public:
  explicit ReadyTokens(Positions positions) : step_(positions == Positions::kAscending) {}
  void reset(std::string_view text) override {
    next_ = reinterpret_cast<const TermBytes*>(text.data());
    end_ = next_ + text.size() / sizeof(TermBytes);
    increment_ = 1;
  }
  size_t next(std::span<Token> tokens) override {
    size_t n = 0;
    for (; n < tokens.size() && next_ != end_; ++n, ++next_) {
      tokens[n] = Token{.term = next_->data(),
                        .term_length = static_cast<uint32_t>(next_->size()),
                        .position_increment = increment_};
      increment_ = step_;
    }
    return n;
  }
  uint32_t final_offset() const override { return 0; }

 private:
  int32_t step_;
  const TermBytes* next_ = nullptr;
  const TermBytes* end_ = nullptr;
  int32_t increment_ = 1;
};

class ReadyAnalyzer : public Analyzer {
 public:
  explicit ReadyAnalyzer(Positions positions) : positions_(positions) {}
  std::unique_ptr<TokenStream> token_stream() const override {
    return std::make_unique<ReadyTokens>(positions_);
  }

 private:
  Positions positions_;
};

class OurLayout {
 public:
  OurLayout(PoolLayout layout, Positions positions)
      : field_("body", type(true), std::make_shared<ReadyAnalyzer>(positions)),
        term_field_("body", type(false)),
        memory_(layout, Limits{}) {}
  // The pools are recycled, as the writer does from segment to segment.
  void renew() {
    inverter_.reset();
    memory_.reset();
    inverter_.emplace(memory_, Limits{}, "body", IndexOptions::kPositions, false, false);
  }
  // A document of one token is one term, as of an id.
  void add_document(uint32_t doc, std::span<const TermBytes> tokens) {
    inverter_->start_document(doc);
    if (tokens.size() == 1) {
      inverter_->add(
          {.field = &term_field_,
           .kind = ValueKind::kBytes,
           .bytes = {reinterpret_cast<const char*>(tokens[0].data()), tokens[0].size()}});
    } else {
      inverter_->add(
          {.field = &field_,
           .kind = ValueKind::kText,
           .bytes = {reinterpret_cast<const char*>(tokens.data()), tokens.size_bytes()}});
    }
    inverter_->finish_document();
  }
  uint32_t finish() { return inverter_->term_count(); }
  const uint32_t* sort() {
    inverter_->sort_terms(ids_);
    return ids_.data();
  }
  uint64_t bytes() const { return memory_.counter().bytes(); }

 private:
  static FieldType type(bool tokenized) {
    FieldType type;
    type.index_options = IndexOptions::kPositions;
    type.omit_norms = true;
    type.tokenized = tokenized;
    return type;
  }

  FieldDefinition field_;
  FieldDefinition term_field_;
  invert::BufferMemory memory_;
  std::optional<invert::FieldInverter> inverter_;
  std::vector<uint32_t> ids_;
};

// Calls f(layout) with the layout of a name: lucene_shared, lucene_separate, shared, separate or
// inline. Throws std::runtime_error.
template <class F>
void with_layout(const std::string& name, Positions positions, F&& f) {
  auto lucene = [&](PoolLayout pools) {
    LuceneLayout layout(pools, positions);
    f(layout);
  };
  auto ours = [&](PoolLayout pools) {
    OurLayout layout(pools, positions);
    f(layout);
  };
  if (name == "lucene_shared") {
    lucene(PoolLayout::kShared);
  } else if (name == "lucene_separate") {
    lucene(PoolLayout::kSeparate);
  } else if (name == "shared") {
    ours(PoolLayout::kShared);
  } else if (name == "separate") {
    ours(PoolLayout::kSeparate);
  } else if (name == "inline") {
    ours(PoolLayout::kInline);
  } else {
    throw std::runtime_error("no layout is called " + name);
  }
}

}  // namespace postern::bench
