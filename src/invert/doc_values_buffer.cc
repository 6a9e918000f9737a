#include "invert/doc_values_buffer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/sortable_bits.h"
#include "base/utf8.h"
#include "memory/prefetch.h"
#include "memory/slices.h"
#include "memory/term_sort.h"
#include "postern/error.h"

namespace postern::invert {
namespace {

// Terms ahead of the one being written whose text is fetched; their states come as far before.
constexpr uint32_t kPrefetchAhead = 8;
// Values that are looked up together, at most.
constexpr uint32_t kGroup = 64;
constexpr size_t kMaxWaitingBytes = 16 << 10;

bool is_sorted_type(DocValuesType type) {
  return type == DocValuesType::kSorted || type == DocValuesType::kSortedSet;
}
bool is_multi_valued(DocValuesType type) {
  return type == DocValuesType::kSortedNumeric || type == DocValuesType::kSortedSet;
}

// For a single-valued type, the one that takes several.
const char* several_name(DocValuesType type) {
  return name_of(type == DocValuesType::kNumeric ? DocValuesType::kSortedNumeric
                                                 : DocValuesType::kSortedSet);
}

}  // namespace

DocValuesBuffer::DocValuesBuffer(BufferMemory& memory, const Limits& limits, std::string field,
                                 DocValuesType type)
    : memory_(memory),
      field_(std::move(field)),
      type_(type),
      multi_valued_type_(is_multi_valued(type)),
      max_term_bytes_(limits.max_term_bytes),
      docs_(memory.counter()),
      counts_(memory.counter()),
      numbers_(memory.counter()),
      ids_(memory.counter()),
      bytes_(memory.counter()) {
  assert(type != DocValuesType::kNone);
  if (is_sorted_type(type)) {
    terms_ = std::make_unique<memory::TermTable>(memory.counter(), memory.doc_values(),
                                                 memory.doc_values(), PoolLayout::kInline,
                                                 memory.hash_seed());
  }
}

void DocValuesBuffer::fail(uint32_t doc, const std::string& what) const {
  throw InvalidDocument("field \"" + field_ + "\" of document " + std::to_string(doc) +
                        " of its segment: " + what);
}

void DocValuesBuffer::add(uint32_t doc, const FieldValue& value) {
  assert(!finished_);
  if (type_ == DocValuesType::kNumeric || type_ == DocValuesType::kSortedNumeric) {
    const bool integer = value.kind == ValueKind::kInt || value.kind == ValueKind::kLong;
    const int64_t number = integer ? value.integer : number_of(doc, value);
    start_value(doc);
    numbers_.push_back(number);
    return;
  }
  std::string_view bytes = value.bytes;
  std::string without_surrogates;
  switch (value.kind) {
    case ValueKind::kText:
    case ValueKind::kTokens:
      if (has_surrogates(bytes)) {
        append_without_surrogates(without_surrogates, bytes);
        bytes = without_surrogates;
      }
      break;
    case ValueKind::kBytes:
      break;
    default:
      fail(doc, "a number where its doc values need text or bytes");
  }
  const std::span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (type_ == DocValuesType::kBinary) {
    add_bytes(doc, span);
  } else {
    add_term(doc, span);
  }
}

// Of a value that is not an integer.
int64_t DocValuesBuffer::number_of(uint32_t doc, const FieldValue& value) const {
  const bool raw = type_ == DocValuesType::kNumeric;
  switch (value.kind) {
    case ValueKind::kFloat:
      return raw ? float_bits(static_cast<float>(value.number))
                 : sortable_float_bits(static_cast<float>(value.number));
    case ValueKind::kDouble:
      return raw ? double_bits(value.number) : sortable_double_bits(value.number);
    default:
      fail(doc, "text or bytes where its doc values need a number");
  }
}

void DocValuesBuffer::fail_second(uint32_t doc) const {
  fail(doc, std::string("a second value for its doc values of type ") + name_of(type_) +
                ", which take one in a document; type " + several_name(type_) + " takes several");
}

// The next document, in a field that not all documents have.
void DocValuesBuffer::add_sparse(uint32_t doc) {
  assert(doc_count_ == 0 || doc > last_doc_);
  if (dense_) {
    docs_.reserve(doc_count_ + size_t{1});
    for (uint32_t d = 0; d < doc_count_; ++d) docs_.push_back(d);
    dense_ = false;
  }
  docs_.push_back(doc);
}

void DocValuesBuffer::add_bytes(uint32_t doc, std::span<const uint8_t> value) {
  constexpr size_t kMaxBinary = 0x7fffffff;
  if (value.size() > kMaxBinary) {
    fail(doc, "a binary doc value of " + std::to_string(value.size()) + " bytes, the limit is " +
                  std::to_string(kMaxBinary));
  }
  start_value(doc);
  counts_.push_back(static_cast<uint32_t>(value.size()));
  const size_t at = bytes_.size();
  bytes_.resize(at + value.size());
  if (!value.empty()) std::memcpy(bytes_.data() + at, value.data(), value.size());
}

void DocValuesBuffer::add_term(uint32_t doc, std::span<const uint8_t> value) {
  if (value.size() > max_term_bytes_) {
    fail(doc, "a doc value of " + std::to_string(value.size()) + " bytes, the limit of " +
                  name_of(type_) + " values is " + std::to_string(max_term_bytes_) +
                  "; type binary takes longer ones");
  }
  memory::BytePool& pool = memory_.doc_values();
  const auto length = static_cast<uint32_t>(value.size());
  const uint64_t room = memory::max_text_bytes(length) + memory::kSliceSize[0];
  if (!pool.has_room(room)) {
    look_up_waiting();  // known terms give back what was promised for them
    if (!pool.has_room(room)) pool.require_room(room, "doc values of field \"" + field_ + "\"");
  }
  start_value(doc);
  const size_t at = bytes_.size();
  bytes_.reserve(at + length + memory::kTermSlack);
  bytes_.resize(at + length);
  if (length != 0) std::memcpy(bytes_.data() + at, value.data(), length);
  ids_.push_back(length);
  pool.promise(room);
  promised_ += room;
  if (++waiting_ == kGroup || bytes_.size() > kMaxWaitingBytes) look_up_waiting();
}

// Each pass prefetches what the next one reads.
void DocValuesBuffer::look_up_waiting() {
  if (waiting_ == 0) return;
  std::array<memory::TermKey, kGroup> keys;
  const std::span<memory::TermKey> group(keys.data(), waiting_);
  uint32_t* const ids = ids_.data() + (ids_.size() - waiting_);
  // The slack behind the last value is reserved but was never written.
  std::memset(bytes_.data() + bytes_.size(), 0, memory::kTermSlack);
  const uint8_t* text = bytes_.data();
  for (size_t i = 0; i < group.size(); ++i) {
    group[i].bytes = text;
    group[i].length = ids[i];
    text += ids[i];
    terms_->prepare(group[i]);
    terms_->prefetch_slot(group[i]);
  }
  for (memory::TermKey& key : group) {
    key.id = terms_->candidate(key);
    if (key.id != memory::kNoTerm) memory::prefetch_read(&terms_->state(key.id));
  }
  for (const memory::TermKey& key : group) {
    if (key.id != memory::kNoTerm && key.length > memory::kInlineBytes)
      memory::prefetch_read(terms_->text(key.id).data());
  }
  memory_.doc_values().unpromise(promised_);
  promised_ = 0;
  for (size_t i = 0; i < group.size(); ++i) {
    const memory::TermKey& key = group[i];
    const bool found = key.id != memory::kNoTerm && terms_->is<PoolLayout::kInline>(key.id, key);
    ids[i] = found ? key.id : terms_->find_or_insert<PoolLayout::kInline>(key);
  }
  waiting_ = 0;
  bytes_.clear();
}

template <class T>
void DocValuesBuffer::sort_document(memory::GrowArray<T>& values, bool unique) {
  T* begin = values.data() + document_start_;
  T* end = values.data() + values.size();
  if (end - begin > 1) {
    std::sort(begin, end);
    if (unique) values.resize(static_cast<size_t>(std::unique(begin, end) - values.data()));
  }
  const size_t count = values.size() - document_start_;
  document_start_ = values.size();
  if (count != 1 && !multi_valued_) {
    counts_.reserve(doc_count_);
    for (uint32_t d = 0; d + 1 < doc_count_; ++d) counts_.push_back(1);
    multi_valued_ = true;
  }
  if (multi_valued_) counts_.push_back(static_cast<uint32_t>(count));
}

void DocValuesBuffer::finish_document() {
  if (!in_document_) return;
  in_document_ = false;
  const bool numbers = type_ == DocValuesType::kSortedNumeric;
  if (!multi_valued_ && (numbers ? numbers_.size() : ids_.size()) == document_start_ + 1) {
    ++document_start_;
  } else if (numbers) {
    sort_document(numbers_, false);
  } else {
    if (ids_.size() - document_start_ > 1) look_up_waiting();
    sort_document(ids_, true);
  }
}

void DocValuesBuffer::finish() {
  if (finished_) return;
  finished_ = true;
  finish_document();
  if (!is_sorted_type(type_)) return;
  look_up_waiting();
  bytes_.release();
  terms_->drop_slots();
  memory::sort_terms(*terms_, memory_.counter(), ids_by_ord_);
  memory::GrowArray<uint32_t> ord_of_id(memory_.counter());
  ord_of_id.resize(ids_by_ord_.size());
  for (uint32_t ord = 0; ord < ids_by_ord_.size(); ++ord) ord_of_id[ids_by_ord_[ord]] = ord;
  for (size_t i = 0; i < ids_.size(); ++i) ids_[i] = ord_of_id[ids_[i]];
  size_t at = 0;
  for (uint32_t count : counts_.span()) {
    std::sort(ids_.data() + at, ids_.data() + at + count);
    at += count;
  }
}

void DocValuesBuffer::prefetch(uint32_t ord) const {
  const uint64_t state = ord + uint64_t{2 * kPrefetchAhead};
  if (state >= ids_by_ord_.size()) return;
  terms_->prefetch_state(ids_by_ord_[state]);
  memory::prefetch_read(terms_->text(ids_by_ord_[ord + kPrefetchAhead]).data());
}

}  // namespace postern::invert
