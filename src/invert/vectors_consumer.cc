#include "invert/vectors_consumer.h"

#include "invert/field_inverter.h"
#include "memory/hash.h"

namespace postern::invert {

namespace {

// What a field costs beside the arrays of its FieldVectors: that, its name, its place in the deque
// and in the queue.
constexpr uint64_t kBytesPerField = sizeof(FieldVectors) + 64;
// Pool memory that stays with the buffer between documents, and terms whose sort keys stay.
constexpr uint64_t kKeptPoolBytes = 1 << 20;
constexpr size_t kKeptKeys = size_t{1} << 15;

}  // namespace

VectorsConsumer::VectorsConsumer(BufferMemory& memory, const Limits& limits)
    : memory_(memory), max_pool_bytes_(limits.max_pool_bytes) {}

VectorsConsumer::~VectorsConsumer() {
  for (const FieldVectors& field : fields_) {
    memory_.counter().sub(kBytesPerField + field.name().capacity());
  }
}

void VectorsConsumer::chain(FieldInverter& inverter, uint32_t field_number) {
  if (space_ == nullptr) space_ = std::make_unique<Space>(memory_.counter(), max_pool_bytes_);
  FieldVectors& field = fields_.emplace_back(memory_.counter(), space_->pool, totals_,
                                             inverter.terms(), inverter.name(), field_number);
  memory_.counter().add(kBytesPerField + field.name().capacity());
  inverter.chain(*this, field);
}

void VectorsConsumer::start_document(uint32_t doc) {
  doc_ = doc;
  // Nothing is left over unless finish_document was not reached.
  if (active()) reset();
}

void VectorsConsumer::sort_fields() {
  std::ranges::sort(queued_, [](const FieldVectors* a, const FieldVectors* b) {
    return compare_utf16_order(a->name(), b->name()) < 0;
  });
}

void VectorsConsumer::sort_terms(const FieldVectors& field) {
  memory::GrowArray<Key>& keys = space_->keys;
  keys.resize(field.term_count());
  for (uint32_t term = 0; term < field.term_count(); ++term) {
    std::span<const uint8_t> text = field.text(term);
    keys[term] = {__builtin_bswap64(memory::load_padded(text.data(), text.size())), term,
                  static_cast<uint32_t>(text.size())};
  }
  std::sort(keys.data(), keys.data() + keys.size(), [&field](const Key& a, const Key& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    // Zero padding makes terms that end within the prefix equal to their extensions by zeroes.
    if (a.length <= 8 || b.length <= 8) return a.length < b.length;
    return std::ranges::lexicographical_compare(field.text(a.term), field.text(b.term));
  });
}

void VectorsConsumer::reset() {
  queued_.clear();
  totals_ = {};
  memory::BytePool& pool = space_->pool;
  if (pool.used() != 0) pool.reset();
  if (pool.idle_bytes() > kKeptPoolBytes) pool.release_idle(pool.idle_bytes() - kKeptPoolBytes);
  if (space_->keys.capacity() > kKeptKeys) space_->keys.release();
}

}  // namespace postern::invert
