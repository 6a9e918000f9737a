#include "index/points_flush.h"

#include <algorithm>
#include <iterator>

#include "codec/points_writer.h"

namespace postern::index {

void write_points(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                  std::span<const PointsField> fields, std::vector<std::string>& files,
                  std::span<const uint32_t> new_docs) {
  // A field all of whose documents failed has no point, yet Lucene opens the files for it.
  const bool any = std::ranges::any_of(
      infos.fields, [](const codec::FieldInfo& info) { return info.point_dimensions != 0; });
  if (!any) return;
  codec::PointsWriter writer(context);
  for (const PointsField& field : fields) {
    if (field.buffer == nullptr || field.buffer->empty()) continue;
    if (!new_docs.empty()) field.buffer->renumber(new_docs);
    writer.add_field(*field.info, field.buffer->records(), field.buffer->doc_count());
    field.buffer->release();
  }
  writer.close();
  const std::vector<std::string> names = writer.files();
  files.insert(files.end(), names.begin(), names.end());
}

}  // namespace postern::index
