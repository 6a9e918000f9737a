// Points: trees as the field infos say, every point in its cell, counts and bounds as recorded.
#include "check/parts.h"

namespace postern::check {
namespace {

constexpr const char* kPart = "points";

void check_shape(const codec::FieldInfos& fields, const codec::PointsEntry& entry) {
  const codec::FieldInfo* field = fields.by_number(entry.field_number);
  const std::string name =
      field != nullptr ? "'" + field->name + "'" : std::to_string(entry.field_number);
  const codec::BkdShape& shape = entry.shape;
  if (field == nullptr || field->point_dimensions != shape.dimensions ||
      field->point_index_dimensions != shape.index_dimensions || field->point_bytes != shape.bytes)
    throw CorruptIndex("points of field " + name + " have " + std::to_string(shape.dimensions) +
                       " dimensions, " + std::to_string(shape.index_dimensions) + " indexed, of " +
                       std::to_string(shape.bytes) + " bytes; the field infos say otherwise");
}

}  // namespace

Counts check_points(const Part& part) {
  uint64_t points = 0;
  part.guarded(kPart, [&] {
    const codec::PointsReader* reader = part.segment.points();
    if (reader == nullptr) return;
    // No two trees share leaves, and a leaf takes some bytes.
    constexpr uint64_t kMinLeafBytes = 4;
    const uint64_t bytes =
        part.segment.core().file_length(part.name() + "." + codec::kPointsDataExtension);
    uint64_t leaves = 0;
    for (const codec::PointsEntry& entry : reader->entries()) leaves += entry.leaves;
    if (leaves > bytes / kMinLeafBytes)
      throw CorruptIndex(part.name() + "." + codec::kPointsMetaExtension + ": " +
                         std::to_string(leaves) + " leaves in " + std::to_string(bytes) + " bytes");
    for (const codec::PointsEntry& entry : reader->entries()) {
      part.guarded(kPart, [&] {
        check_shape(part.segment.core_fields(), entry);
        reader->for_each_leaf(entry,
                              [&](const codec::PointsLeaf& leaf) { points += leaf.docs.size(); });
      });
    }
  });
  return {{"points", points}};
}

}  // namespace postern::check
