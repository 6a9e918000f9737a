// Goes through term vectors field by field: checks each in itself, and reduces it to a digest.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "check/vector_digest.h"
#include "codec/field_infos.h"
#include "codec/postings_reader.h"
#include "postern/field_type.h"
#include "read/segment_reader.h"

namespace postern::check {

// One field of one document.
struct VectorField {
  uint32_t number = 0;
  Comparable what;  // with the postings
  uint64_t digest = 0;
  uint64_t terms = 0;
};

// What postings and a vector with these flags have in common.
Comparable comparable(const TermVectors& flags, const codec::FieldInfo& field);
// Of the document `docs` stands at; asks for its positions if they count.
uint64_t digest_of_posting(codec::PostingsCursor& docs, uint64_t term, const Comparable& what);

// The sink of codec::TermVectorsReader. Throws CorruptIndex naming document and field.
class VectorWalk {
 public:
  explicit VectorWalk(read::SegmentReader& segment) : segment_(segment) {}

  // Hands every field of the document to `visit`.
  void visit(uint32_t doc, const std::function<void(const VectorField&)>& visit);

  void start_field(uint32_t number, const TermVectors& flags);
  void start_term(std::span<const uint8_t> term, uint32_t freq);
  void add_occurrence(uint32_t position_delta, uint32_t start_delta, uint32_t length,
                      std::span<const uint8_t> payload);

 private:
  void finish_term();
  void finish_field();
  [[noreturn]] void fail(const std::string& what) const;

  read::SegmentReader& segment_;
  const std::function<void(const VectorField&)>* visit_ = nullptr;
  uint32_t doc_ = 0;
  const codec::FieldInfo* info_ = nullptr;  // null: no field of the document yet
  TermVectors flags_;
  VectorField field_;
  std::unordered_set<uint32_t> numbers_;  // of the document's fields
  std::vector<uint8_t> term_;
  TermDigest digest_{0};
  bool in_term_ = false;
  uint32_t position_ = 0;
  uint32_t start_ = 0;
};

}  // namespace postern::check
