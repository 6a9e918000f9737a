// Help for the tests of the points format: points as values, random ones, whole files.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/point_record.h"
#include "codec/points_reader.h"
#include "codec/points_writer.h"
#include "codec/test_files.h"

namespace postern::codec::testing {

struct Point {
  std::string value;  // packed
  uint32_t doc;
  auto operator<=>(const Point&) const = default;
};
inline void PrintTo(const Point& p, std::ostream* os) {
  *os << p.doc << ": "
      << to_hex({reinterpret_cast<const uint8_t*>(p.value.data()), p.value.size()});
}

inline Bytes records_of(const std::vector<Point>& points) {
  Bytes out;
  for (const Point& p : points) {
    out.insert(out.end(), p.value.begin(), p.value.end());
    out.resize(out.size() + kPointDocBytes);
    set_point_record_doc(out.data() + out.size() - point_record_size(p.value.size()),
                         p.value.size(), p.doc);
  }
  return out;
}

inline std::vector<Point> points_of(const BkdShape& shape, std::span<const uint8_t> records) {
  std::vector<Point> out;
  const size_t bytes = shape.value_bytes();
  for (size_t at = 0; at < records.size(); at += point_record_size(bytes))
    out.push_back({std::string(reinterpret_cast<const char*>(records.data()) + at, bytes),
                   point_record_doc(records.data() + at, bytes)});
  return out;
}

inline rc::Gen<BkdShape> any_shape() {
  return rc::gen::exec([] {
    BkdShape shape;
    shape.dimensions = *rc::gen::element<uint32_t>(1, 1, 1, 2, 3, 4, 8, 16);
    shape.index_dimensions =
        *rc::gen::inRange<uint32_t>(1, std::min(shape.dimensions, kMaxPointIndexDimensions) + 1);
    shape.bytes = *rc::gen::element<uint32_t>(1, 3, 4, 4, 8, 8, 16);
    return shape;
  });
}

// Up to `most` points of documents in ascending order, several for some; each byte of a value is
// one of few or of many, so that there are prefixes, ties and runs of all lengths.
inline rc::Gen<std::vector<Point>> random_points(BkdShape shape, uint32_t most) {
  return rc::gen::exec([=] {
    const auto count = *rc::gen::inRange<uint32_t>(0, most + 1);
    const auto kinds = *rc::gen::container<std::vector<uint32_t>>(
        shape.value_bytes(), rc::gen::element<uint32_t>(1, 1, 2, 3, 256));
    const auto gap = *rc::gen::element<uint32_t>(2, 3, 40, 5000);
    uint64_t state = *rc::gen::inRange<uint64_t>(0, UINT64_C(1) << 62);
    auto random = [&state](uint32_t below) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      return static_cast<uint32_t>((state >> 33) % below);
    };
    std::vector<Point> points;
    uint32_t doc = random(10);
    for (uint32_t i = 0; i < count; ++i) {
      std::string value;
      for (uint32_t kind : kinds) value += static_cast<char>(127 + random(kind));
      points.push_back({value, doc});
      doc += random(gap);
    }
    return points;
  });
}

struct FieldPoints {
  uint32_t number;
  BkdShape shape;
  std::vector<Point> points;  // documents ascending
};

inline uint32_t distinct_docs(const std::vector<Point>& points) {
  uint32_t n = 0;
  for (size_t i = 0; i < points.size(); ++i) n += i == 0 || points[i].doc != points[i - 1].doc;
  return n;
}

inline void write_points(Directory& directory, const std::string& segment,
                         const store::ObjectId& id, const std::vector<FieldPoints>& fields) {
  PointsWriter writer({directory, segment, id, 0});
  for (const FieldPoints& field : fields) {
    FieldInfo info;
    info.number = field.number;
    info.point_dimensions = field.shape.dimensions;
    info.point_index_dimensions = field.shape.index_dimensions;
    info.point_bytes = field.shape.bytes;
    Bytes records = records_of(field.points);
    writer.add_field(info, records, distinct_docs(field.points));
  }
  writer.close();
}

// In the order of the tree.
inline std::vector<Point> read_points(const PointsReader& reader, const PointsEntry& entry) {
  std::vector<Point> out;
  const size_t bytes = entry.shape.value_bytes();
  reader.for_each_leaf(entry, [&](const PointsLeaf& leaf) {
    for (size_t i = 0; i < leaf.docs.size(); ++i)
      out.push_back(
          {std::string(reinterpret_cast<const char*>(leaf.values.data()) + i * bytes, bytes),
           leaf.docs[i]});
  });
  return out;
}

}  // namespace postern::codec::testing
