// Reads the graphs over the vectors of one segment (docs/formats/40 §3).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codec/direct_monotonic.h"
#include "codec/vector_reader.h"

namespace postern::codec {

struct GraphEntry : VectorField {
  uint32_t max_connections = 0;
  uint32_t levels = 0;  // 0: no graph
  // Of each level above 0, ascending.
  std::vector<std::vector<uint32_t>> upper;
  DirectMonotonicReader starts;  // of all lists, level by level
  uint64_t starts_length = 0;    // bytes of them in the data file

  uint64_t nodes(uint32_t level) const { return level == 0 ? count : upper[level - 1].size(); }
  // Where searches begin.
  uint32_t entry_node() const { return levels <= 1 ? 0 : upper.back().front(); }
};

// Throws CorruptIndex, IoError, NotSupported; any bytes are safe. Safe to share between threads.
class HnswReader {
 public:
  HnswReader(const Directory& directory, const std::string& segment, const store::ObjectId& id,
             const FieldInfos& infos, uint32_t max_doc);

  // Null for a field without vectors.
  const GraphEntry* find(uint32_t field_number) const;
  // Bytes of a list, counted from where the field's lists begin.
  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  // The neighbours, ascending, of the node at `place` among those of the level (the node itself on
  // level 0). They are nodes of that level. Returns where they lie.
  Range read_neighbours(const GraphEntry& entry, uint32_t level, uint64_t place,
                        std::vector<uint32_t>& out) const;
  // Bytes that the data file has for all fields together, its header included.
  uint64_t data_size() const;

 private:
  void read_graph(ByteReader& meta, GraphEntry& entry) const;

  std::string meta_name_;
  std::string data_name_;
  uint32_t version_ = 0;
  std::unique_ptr<InputFile> data_file_;
  std::unique_ptr<InputFile> meta_file_;
  std::vector<GraphEntry> entries_;
};

}  // namespace postern::codec
