#include <algorithm>

#include "check/column_parts.h"
#include "check/findings.h"
#include "postern/error.h"

namespace postern::check {
namespace {

using Term = std::vector<uint8_t>;

// A key separates the terms on both sides of the place it leads to (docs/formats/22 §4).
bool separates(const Term& key, const Term& before, std::span<const uint8_t> at) {
  return key.size() <= at.size() && std::ranges::equal(key, at.first(key.size())) &&
         std::ranges::lexicographical_compare(before, key);
}

}  // namespace

uint64_t check_dictionary(const codec::DocValuesReader& reader, const codec::FieldInfo& field) {
  const codec::TermsDictEntry& entry = *reader.find(field.number)->terms;
  auto fail = [&](const std::string& what) {
    throw CorruptIndex("the dictionary of doc values of field '" + field.name + "': " + what);
  };
  std::vector<Term> keys;
  reader.visit_term_index(field.number, [&](uint64_t, std::span<const uint8_t> key) {
    keys.emplace_back(key.begin(), key.end());
  });
  const uint64_t every = uint64_t{1} << entry.index_shift;
  uint64_t terms = 0;
  Term before;
  reader.visit_terms(field.number, [&](uint64_t ord, std::span<const uint8_t> term) {
    ++terms;
    if (ord % every == 0) {
      const uint64_t number = ord / every;
      if (number >= keys.size()) fail("it has " + std::to_string(keys.size()) + " index keys");
      const Term& key = keys[static_cast<size_t>(number)];
      if (number == 0 ? !key.empty() : !separates(key, before, term))
        fail("key " + std::to_string(number) + " of its index does not lead to its term");
    }
    if ((ord + 1) % every == 0) before.assign(term.begin(), term.end());
  });
  return terms;
}

}  // namespace postern::check
