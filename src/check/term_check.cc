#include "check/term_check.h"

#include <algorithm>

#include "check/findings.h"
#include "codec/segment_context.h"
#include "postern/limits.h"

namespace postern::check {
namespace {

using codec::Impact;

// The impact that must cover a document of this frequency; null if there is none.
const Impact* covering(const std::vector<Impact>& impacts, uint32_t freq) {
  const auto at = std::ranges::lower_bound(impacts, freq, {}, &Impact::freq);
  return at == impacts.end() ? nullptr : &*at;
}

bool covers(const std::vector<Impact>& impacts, uint32_t freq, uint64_t norm) {
  const Impact* impact = covering(impacts, freq);
  return impact != nullptr && static_cast<uint64_t>(impact->norm) <= norm;
}

}  // namespace

TermCheck::TermCheck(read::SegmentReader& segment)
    : segment_(segment), postings_(*segment.postings()) {}

std::string TermCheck::place() const {
  const std::string_view bytes(reinterpret_cast<const char*>(term_.data()), term_.size());
  return "field '" + field_->name() + "', term " + term_text(bytes);
}

void TermCheck::fail(const std::string& what) const {
  throw CorruptIndex(segment_.name() + ": " + place() + ": " + what);
}

// Errors of the readers name the file and the byte.
void TermCheck::rethrow_with_term(const CorruptIndex& error) const {
  const std::string message = error.what();
  const std::string where = place();
  if (message.find(where) != std::string::npos) throw CorruptIndex(message);
  throw CorruptIndex(message + " (" + where + ")");
}

void TermCheck::fail_at_doc(const std::string& what) const {
  fail("document " + std::to_string(cursor_->doc()) + ": " + what);
}

void TermCheck::start_field(const codec::FieldTerms& field, const NormColumn& norms) {
  field_ = &field;
  norms_ = &norms;
  seeker_.emplace(field);
}

void TermCheck::start_term(std::span<const uint8_t> term, const codec::TermState& state) {
  term_ = term;
  state_ = state;
  docs_ = 0;
  freqs_ = 0;
  in_block_ = in_group_ = false;
  if (term.size() > Limits().max_term_bytes) fail("is longer than a term may be");
  const std::optional<codec::TermState> sought = seeker_->find(term);
  if (!sought) fail("is not found when it is looked up");
  if (*sought != state) fail("looked up, it has other postings");
  const codec::PostingsParts& parts = field_->parts();
  if ((state.doc_freq != 1 && state.doc_start < doc_end_) ||
      (parts.positions && state.pos_start < pos_end_) ||
      (parts.pay() && state.pay_start < pay_end_))
    fail("its postings begin before those of the term before end");
  cursor_.emplace(postings_.postings(parts, state));
  block_ = {{}, state.pos_start, state.pay_start};
  group_ = block_;
}

bool TermCheck::next_doc() {
  if (cursor_->next_doc() == codec::PostingsCursor::kNoMoreDocs) return false;
  ++docs_;
  freqs_ += cursor_->freq();
  if (cursor_->begins_block()) enter_block();
  if (in_block_ && field_->parts().freqs) check_norm_of_doc();
  if (field_->parts().positions) check_occurrences();
  if (in_block_ && cursor_->ends_block()) {
    leave(block_, "block");
    in_block_ = false;
    if (in_group_ && cursor_->ends_group()) {
      leave(group_, "group");
      in_group_ = false;
    }
  }
  return true;
}

void TermCheck::check_occurrences() {
  uint32_t last_position = 0;
  uint32_t last_start = 0;
  const codec::PostingsParts& parts = field_->parts();
  for (uint32_t i = 0; i < cursor_->freq(); ++i) {
    const uint32_t position = cursor_->next_position();
    if (position < last_position) fail_at_doc("positions go back");
    if (position > Limits().max_position)
      fail_at_doc("the position " + std::to_string(position) + " is too large");
    last_position = position;
    if (!parts.offsets) continue;
    if (cursor_->start_offset() < last_start || cursor_->end_offset() < cursor_->start_offset())
      fail_at_doc("offsets " + std::to_string(cursor_->start_offset()) + " to " +
                  std::to_string(cursor_->end_offset()) + " behind " + std::to_string(last_start));
    last_start = cursor_->start_offset();
  }
}

void TermCheck::enter_block() {
  in_block_ = true;
  block_.entry = cursor_->block_skip_entry();
  if (cursor_->begins_group()) {
    in_group_ = true;
    group_.entry = cursor_->group_skip_entry();
  }
  if (!field_->parts().freqs) return;
  auto note = [](const codec::SkipEntry& entry, uint32_t& pairs, uint32_t& bytes) {
    pairs = std::max(pairs, static_cast<uint32_t>(entry.impacts.size()));
    bytes = std::max(bytes, entry.impact_bytes);
  };
  check_impacts(block_.entry, "block");
  note(block_.entry, maxima_.block_pairs, maxima_.block_bytes);
  if (cursor_->begins_group()) {
    check_impacts(group_.entry, "group");
    note(group_.entry, maxima_.group_pairs, maxima_.group_bytes);
  }
  if (in_group_) check_below_group();
}

void TermCheck::check_impacts(const codec::SkipEntry& entry, const char* what) {
  if (entry.impacts.front().norm == 0)
    fail_at_doc(std::string("an impact of a ") + what + " with the norm 0");
}

void TermCheck::check_below_group() {
  for (const Impact& impact : block_.entry.impacts) {
    if (!covers(group_.entry.impacts, impact.freq, static_cast<uint64_t>(impact.norm)))
      fail_at_doc("the impacts of a group do not cover those of its blocks");
  }
}

void TermCheck::check_norm_of_doc() {
  const uint64_t norm = norms_->get(cursor_->doc());
  const Impact* impact = covering(block_.entry.impacts, cursor_->freq());
  // Documents without a norm, deleted while they were indexed, count nowhere.
  if (impact == nullptr || (norm != 0 && static_cast<uint64_t>(impact->norm) > norm))
    fail_at_doc("the impacts of its block do not cover its frequency " +
                std::to_string(cursor_->freq()) + " and norm " + std::to_string(norm));
}

void TermCheck::leave(Level& level, const char* what) {
  const codec::PostingsParts& parts = field_->parts();
  if (!parts.positions) return;
  level.pos_fp += level.entry.pos_fp_delta;
  level.pay_fp += level.entry.pay_fp_delta;
  const codec::OccurrencePlace place = cursor_->place();
  bool right = level.pos_fp == place.pos_fp && level.entry.pos_upto == place.pos_upto;
  if (parts.pay()) right &= level.pay_fp == place.pay_fp && level.entry.pay_upto == place.pay_upto;
  if (!right)
    fail_at_doc(std::string("the skip entry of its ") + what +
                " does not lead to the next position");
}

void TermCheck::finish_term() {
  const codec::PostingsParts& parts = field_->parts();
  if (docs_ != state_.doc_freq)
    fail("is in " + std::to_string(docs_) + " documents, recorded are " +
         std::to_string(state_.doc_freq));
  if (freqs_ != state_.total_term_freq)
    fail("occurs " + std::to_string(freqs_) + " times, recorded are " +
         std::to_string(state_.total_term_freq));
  if (state_.doc_freq != 1) doc_end_ = cursor_->doc_end();
  if (!parts.positions) return;
  if (state_.total_term_freq > codec::kPostingsBlock) {
    const codec::OccurrencePlace place = cursor_->place();
    if (state_.last_pos_block_offset != place.pos_fp - state_.pos_start)
      fail("the offset of its last positions is wrong");
  }
  pos_end_ = cursor_->pos_end();
  if (parts.pay()) pay_end_ = cursor_->pay_end();
}

void TermCheck::check_maxima() const {
  const codec::ImpactMaxima& recorded = postings_.impact_maxima();
  if (maxima_.block_pairs > recorded.block_pairs || maxima_.block_bytes > recorded.block_bytes ||
      maxima_.group_pairs > recorded.group_pairs || maxima_.group_bytes > recorded.group_bytes)
    throw CorruptIndex(codec::segment_file(segment_.name(), codec::kPostingsSuffix, "psm") +
                       ": its maxima of impacts are below those of the lists");
}

}  // namespace postern::check
