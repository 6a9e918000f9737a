#include "invert/field_inverter.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/utf8.h"
#include "invert/norm_byte.h"
#include "invert/vectors_consumer.h"
#include "memory/term_sort.h"
#include "postern/error.h"

namespace postern::invert {

namespace {

constexpr uint32_t kFormatMaxTermBytes = 32766;

std::span<const uint8_t> as_bytes(std::string_view s) {
  return {reinterpret_cast<const uint8_t*>(s.data()), s.size()};
}

}  // namespace

FieldInverter::FieldInverter(BufferMemory& memory, const Limits& limits, std::string name,
                             IndexOptions options, bool has_norms, bool expects_payloads)
    : memory_(memory),
      name_(std::move(name)),
      table_(memory.counter(), memory.slices(), memory.text(), memory.layout(), memory.hash_seed()),
      last_offsets_(memory.counter()),
      pending_(memory.counter()),
      norms_(memory.counter()),
      max_term_bytes_(std::min(limits.max_term_bytes, kFormatMaxTermBytes)),
      max_position_(limits.max_position),
      kind_(stream_kind(options, expects_payloads)),
      has_norms_(has_norms) {
  memory_.counter().add(sizeof *this + name_.capacity());
}

FieldInverter::~FieldInverter() {
  memory_.unpromise(pending_promise_);
  memory_.counter().sub(sizeof *this + name_.capacity());
}

void FieldInverter::start_document(uint32_t doc) {
  now_ = DocumentState{};
  now_.doc = doc;
  vectors_ = nullptr;
  single_frequencies_ = false;
}

void FieldInverter::add(const FieldValue& value) {
  bool first = !now_.value_seen;
  now_.value_seen = true;
  start_vectors(value.field->type().term_vectors, first);
  add_value(value);
  if (has_norms_ && now_.length != 0 && now_.length == now_.overlaps) {
    fail("all tokens have a position increment of 0, which leaves no length to make a norm of");
  }
  if (first) now_.first_value_good = true;
}

// docs/formats/01 §4.2: the document's first value decides.
void FieldInverter::start_vectors(const TermVectors& flags, bool first) {
  if (!first) {
    TermVectors expected = vectors_ == nullptr ? TermVectors{} : vectors_->flags();
    if (flags != expected) {
      fail("its values in one document must have the same term vector settings");
    }
    return;
  }
  if (!flags.enabled) {
    if (flags != TermVectors{}) {
      fail("term vector positions, offsets or payloads without term vectors");
    }
    return;
  }
  if (flags.payloads && !flags.positions) fail("term vector payloads without positions");
  assert(chained_ != nullptr);
  chained_->start_document(flags);
  vectors_ = chained_;
  single_frequencies_ = vectors_->needs_single_frequencies();
}

void FieldInverter::add_value(const FieldValue& value) {
  const FieldType& type = value.field->type();
  switch (value.kind) {
    case ValueKind::kTokens:
      if (!type.tokenized) fail("ready tokens in a field that is not tokenized");
      return add_token_list(value);
    case ValueKind::kText:
      return type.tokenized ? add_analyzed(value) : add_untokenized(value);
    case ValueKind::kBytes:
      if (type.tokenized) fail("a binary value in a tokenized field");
      return add_untokenized(value);
    default:
      fail("a number in a field that is indexed as terms");
  }
}

void FieldInverter::add_analyzed(const FieldValue& value) {
  const Analyzer* analyzer = value.field->analyzer();
  if (analyzer == nullptr) fail("a tokenized field without an analyzer");
  TokenStream& stream = memory_.stream(*analyzer);
  // An analyzer does not know whose value it splits.
  const auto named = [&](auto&& step) {
    try {
      return step();
    } catch (const InvalidDocument& e) {
      fail(e.what());
    }
  };
  named([&] { stream.reset(value.bytes); });
  while (size_t n = named([&] { return stream.next(memory_.group().tokens); })) add_tokens(n);
  end_value(*value.field, stream.final_offset(), stream.final_position_increment());
}

void FieldInverter::add_token_list(const FieldValue& value) {
  std::span<const Token> tokens = value.tokens->tokens;
  TokenGroup& group = memory_.group();
  ByteBuffer& scratch = memory_.scratch();
  while (!tokens.empty()) {
    size_t n = std::min(tokens.size(), TokenGroup::kSize);
    size_t bytes = 0;
    for (const Token& t : tokens.first(n)) {
      // A term that is too long is refused by its length alone.
      if (t.term_length <= max_term_bytes_) bytes += t.term_length + kTermPadding;
    }
    scratch.clear();
    uint8_t* p = scratch.reserve(bytes);
    for (size_t i = 0; i < n; ++i) {
      Token& t = group.tokens[i] = tokens[i];
      if (t.term_length > max_term_bytes_) continue;
      if (t.term_length != 0) std::memcpy(p, t.term, t.term_length);
      std::memset(p + t.term_length, 0, kTermPadding);
      t.term = p;
      p += t.term_length + kTermPadding;
    }
    add_tokens(n);
    tokens = tokens.subspan(n);
  }
  end_value(*value.field, value.tokens->final_offset, value.tokens->final_position_increment);
}

void FieldInverter::end_value(const FieldDefinition& field, uint32_t final_offset,
                              int32_t final_increment) {
  if (final_increment < 0) {
    fail("the position increment at the end of a value must be >= 0 (got " +
         std::to_string(final_increment) + ")");
  }
  // docs/formats/03 §6: the gaps follow also a value without tokens.
  // Both are 32-bit in Lucene: what passes 2147483647 here comes back as a negative number, and
  // only a token that still stands before the last one is refused.
  now_.position =
      static_cast<int32_t>(now_.position + final_increment + field.position_increment_gap());
  now_.offset_base = static_cast<uint64_t>(
      int64_t{static_cast<int32_t>(now_.offset_base + final_offset + field.offset_gap())});
}

void FieldInverter::add_untokenized(const FieldValue& value) {
  const TermVectors& vectors = value.field->type().term_vectors;
  std::span<const uint8_t> term = as_bytes(value.bytes);
  std::string without_surrogates;
  if (value.kind == ValueKind::kText && has_surrogates(value.bytes)) {
    append_without_surrogates(without_surrogates, value.bytes);
    term = as_bytes(without_surrogates);
  }
  Token token;
  token.term = term.data();
  token.term_length = static_cast<uint32_t>(std::min<size_t>(term.size(), kMaxLength));
  if (invert::has_positions(kind_) || vectors.positions || vectors.offsets) {
    // As a stream of one token: docs/formats/05 §5.
    const size_t units = value.kind == ValueKind::kText ? utf16_length(value.bytes) : term.size();
    token.end_offset = static_cast<uint32_t>(std::min<size_t>(units, kMaxLength));
    if (!takes(now_, token, false)) refuse(token);
    add_pending(term, {static_cast<uint32_t>(now_.position), static_cast<uint32_t>(now_.last_start),
                       token.end_offset});
    now_.offset_base += token.end_offset;
    return;
  }
  // docs/formats/01 §5, "A binary value": it counts 2 in the field's length.
  if (token.term_length > max_term_bytes_) refuse(token);
  if (now_.length + 2 > kMaxLength) fail("too many tokens for the field");
  add_pending(term, {});
  now_.position += 1;
  now_.length += 2;
}

void FieldInverter::finish_document() {
  if (!now_.first_value_good) return;
  has_payloads_ |= payload_seen_;
  if (vectors_ != nullptr && vectors_->term_count() != 0) consumer_->enqueue(*vectors_);
  if (!has_norms_) return;
  uint64_t n = kind_ == StreamKind::kDocs ? now_.unique_terms : now_.length - now_.overlaps;
  norms_.add(now_.doc, norm_of_length(static_cast<uint32_t>(n)));
}

void FieldInverter::sort_terms(std::vector<uint32_t>& ids) {
  flush_pending();
  pending_.release();
  table_.drop_slots();
  memory::sort_terms(table_, memory_.counter(), ids);
}

void FieldInverter::count_document() {
  if (last_counted_doc_plus_1_ == now_.doc + 1) return;
  last_counted_doc_plus_1_ = now_.doc + 1;
  ++doc_count_;
}

}  // namespace postern::invert
