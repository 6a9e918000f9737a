// Writes the graphs over the vectors of one segment (docs/formats/40 §3).
//
// .vem, per field:
//   i32 field, encoding, similarity | vLong offset, length of the lists in .vex | vInt dimension |
//   i32 count of vectors | vInt M | vInt levels, 0 = no graph and the end of the entry |
//   per level above 0: vInt nodes, node differences | i64 offset of the lists' starts | vInt 16 |
//   monotonic metadata | i64 length of the starts
// .vex, per field:
//   lists, level by level, by ascending node: vInt n, group-varint of n ordinal differences |
//   starts
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/hnsw_graph.h"
#include "codec/segment_context.h"
#include "store/index_output.h"

namespace postern::codec {

// Make one beside each VectorWriter, with the same fields in the same order. Errors: IoError.
class HnswWriter {
 public:
  explicit HnswWriter(const SegmentContext& context);

  // `graph`: over the field's `count` vectors, or null for none. `ords`: the ordinal of each of its
  // nodes, or empty if they are the same.
  void add_field(const FieldInfo& field, uint32_t count, const HnswGraph* graph,
                 std::span<const uint32_t> ords = {});
  // Completes both files.
  void close();

  std::vector<std::string> files() const { return {data_.name(), meta_.name()}; }

 private:
  void write_list(std::span<const uint32_t> neighbours, std::span<const uint32_t> ords);

  store::IndexOutput data_;
  store::IndexOutput meta_;
  std::vector<uint32_t> list_;
  std::vector<uint8_t> encoded_;
};

}  // namespace postern::codec
