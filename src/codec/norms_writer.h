// Writes the norms of one segment (docs/formats/21): `.nvd` values, `.nvm` metadata.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/segment_context.h"
#include "store/index_output.h"

namespace postern::codec {

// Make one only if FieldInfos::any_norms(); every field with norms must be added, ascending by
// number. Errors: IoError.
class NormsWriter {
 public:
  // Creates both files; context.max_doc must be known.
  explicit NormsWriter(const SegmentContext& context);

  // `values`: one norm byte (docs/formats/21 §2) per document with a norm; `docs`: their numbers,
  // ascending, or empty when all max_doc documents have one. Both empty: no document has one.
  void add_field(const FieldInfo& field, std::span<const uint32_t> docs,
                 std::span<const uint8_t> values);
  // Completes both files.
  void close();

  std::vector<std::string> files() const { return {data_.name(), meta_.name()}; }

 private:
  uint32_t max_doc_;
  store::IndexOutput data_;
  store::IndexOutput meta_;
};

}  // namespace postern::codec
