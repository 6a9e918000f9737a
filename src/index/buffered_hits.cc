#include "index/buffered_hits.h"

#include <algorithm>
#include <tuple>

namespace postern::index {
namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Gives the documents below a limit to `visit`; the rest of the postings is of no interest.
template <class Visit>
struct DocsBelow {
  void start_doc(uint32_t doc) {
    if (doc < limit) visit(doc);
  }
  void add_position(uint32_t /*delta*/) {}
  void add_position(uint32_t /*delta*/, std::span<const uint8_t> /*payload*/, uint32_t /*start*/,
                    uint32_t /*length*/) {}
  void finish_doc(uint32_t /*freq*/) {}

  uint32_t limit;
  Visit& visit;
};

template <class Visit>
void for_each_doc_below(const invert::FieldInverter& inverter, uint32_t term, uint32_t limit,
                        Visit&& visit) {
  DocsBelow<Visit> sink{limit, visit};
  inverter.decode(term, sink);
}

struct Hit {
  const invert::FieldInverter* inverter;
  uint32_t term;
  uint32_t limit;
};

}  // namespace

void find_deleted(const deletes::BufferedChanges& changes, const InverterOf& inverter_of,
                  uint32_t documents, std::vector<uint32_t>& deleted) {
  std::vector<Hit> hits;
  changes.for_each([&](const deletes::Change& change, uint32_t limit) {
    if (change.target != nullptr || limit == 0) return;
    invert::FieldInverter* inverter = inverter_of(change.field);
    if (inverter == nullptr) return;
    const uint32_t term = inverter->find(bytes_of(change.term));
    if (term != memory::kNoTerm) hits.push_back({inverter, term, limit});
  });
  if (hits.empty()) return;
  // The last delete of a term has the largest limit, so the list of each term is read once.
  std::ranges::stable_sort(hits, [](const Hit& a, const Hit& b) {
    return std::tie(a.inverter, a.term) < std::tie(b.inverter, b.term);
  });
  std::vector<bool> dead(documents);
  for (uint32_t doc : deleted) dead[doc] = true;
  for (size_t i = 0; i < hits.size(); ++i) {
    const Hit& hit = hits[i];
    if (i + 1 < hits.size() && hits[i + 1].inverter == hit.inverter && hits[i + 1].term == hit.term)
      continue;
    for_each_doc_below(*hit.inverter, hit.term, hit.limit, [&](uint32_t doc) { dead[doc] = true; });
  }
  deleted.clear();
  for (uint32_t doc = 0; doc < documents; ++doc) {
    if (dead[doc]) deleted.push_back(doc);
  }
}

void find_updated(const deletes::BufferedChanges& changes, const InverterOf& inverter_of,
                  const std::function<void(uint32_t doc, const deletes::Change&)>& visit) {
  changes.for_each([&](const deletes::Change& change, uint32_t limit) {
    if (change.target == nullptr || limit == 0) return;
    invert::FieldInverter* inverter = inverter_of(change.field);
    if (inverter == nullptr) return;
    const uint32_t term = inverter->find(bytes_of(change.term));
    if (term == memory::kNoTerm) return;
    for_each_doc_below(*inverter, term, limit, [&](uint32_t doc) { visit(doc, change); });
  });
}

}  // namespace postern::index
