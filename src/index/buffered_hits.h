// Which documents of a segment that is still in memory its changes hit (docs/formats/02 §4).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "deletes/buffered_changes.h"
#include "invert/field_inverter.h"

namespace postern::index {

// A field's terms in memory; null if the segment has no such field or it is not indexed.
using InverterOf = std::function<invert::FieldInverter*(std::string_view field)>;

// Adds to `deleted` (ascending, no duplicates) the documents that deletes hit. Before the terms are
// sorted.
void find_deleted(const deletes::BufferedChanges& changes, const InverterOf& inverter_of,
                  uint32_t documents, std::vector<uint32_t>& deleted);

// Calls visit(doc, change) for what updates hit, in the order of the changes, whether deleted or
// not.
void find_updated(const deletes::BufferedChanges& changes, const InverterOf& inverter_of,
                  const std::function<void(uint32_t doc, const deletes::Change&)>& visit);

}  // namespace postern::index
