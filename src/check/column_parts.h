// Parts of a doc values column that are checked by themselves.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codec/doc_values_reader.h"
#include "codec/field_infos.h"

namespace postern::check {

// The values of a column of numbers or ordinals, documents ascending. Where all values of the
// column are equal each document has it once: a few bytes can stand for any number of them.
void visit_values(const codec::DocValuesReader& reader, uint32_t field_number,
                  const std::function<void(uint32_t doc, int64_t value)>& visitor);

// The skip index against the values, which come one after another. Throws CorruptIndex.
class SkipCheck {
 public:
  // Reads the intervals and checks how they are nested.
  SkipCheck(const codec::DocValuesReader& reader, const codec::FieldInfo& field);
  // Documents ascend; a document may have several values.
  void add(uint32_t doc, int64_t value);
  void finish() const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void check_levels(const std::vector<codec::SkipInterval>& all) const;

  const codec::FieldInfo& field_;
  const codec::SkipIndexEntry& entry_;
  std::vector<codec::SkipInterval> expected_;  // of level 0
  std::vector<codec::SkipInterval> found_;
};

// The dictionary: terms in order, and the keys by which readers find the block of a term. Returns
// the number of terms. Throws CorruptIndex.
uint64_t check_dictionary(const codec::DocValuesReader& reader, const codec::FieldInfo& field);

}  // namespace postern::check
