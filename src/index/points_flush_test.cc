// The golden index `points`, written by Lucene, is made again from its values: the formulas are
// those of `points` in tests/golden/make_inputs.py.
#include "index/points_flush.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <map>

#include "base/sortable_bits.h"
#include "codec/golden_index.h"
#include "codec/points_format.h"
#include "codec/points_reader.h"

namespace postern::index {
namespace {

constexpr uint32_t kDocs = 1100;

uint32_t mix(uint64_t i, uint64_t k) {
  return static_cast<uint32_t>(i * 2654435761 + k * 40503 * 65537) ^
         static_cast<uint32_t>(i * k >> 3);
}

double special_double(uint32_t i) {
  using D = std::numeric_limits<double>;
  const double values[] = {
      0.0,           -0.0,           D::denorm_min(), -D::denorm_min(), D::quiet_NaN(),
      D::infinity(), -D::infinity(), D::max()};
  return values[i];
}

float special_float(uint32_t i) {
  using F = std::numeric_limits<float>;
  const float values[] = {0.0f,           -0.0f,         F::denorm_min(), -F::denorm_min(),
                          F::quiet_NaN(), F::infinity(), -F::infinity(),  0x1p127f};
  return values[i];
}

class GoldenPoints : public ::testing::Test {
 protected:
  void add(const std::string& field, uint32_t doc, const FieldValue& value) {
    const codec::FieldInfo* info = infos_.by_name(field);
    ASSERT_NE(info, nullptr) << field;
    auto& buffer = buffers_[info->number];
    if (buffer == nullptr)
      buffer =
          std::make_unique<invert::PointsBuffer>(counter_, info->name, info->point_dimensions,
                                                 info->point_index_dimensions, info->point_bytes);
    buffer->add(doc, value);
  }
  void add_int(const std::string& field, uint32_t doc, int32_t value) {
    add(field, doc, {.kind = ValueKind::kInt, .integer = value});
  }
  void add_long(const std::string& field, uint32_t doc, int64_t value) {
    add(field, doc, {.kind = ValueKind::kLong, .integer = value});
  }
  void add_bytes(const std::string& field, uint32_t doc, std::string_view bytes) {
    add(field, doc, {.kind = ValueKind::kBytes, .bytes = bytes});
  }
  void add_ints(const std::string& field, uint32_t doc, std::initializer_list<uint32_t> values) {
    std::string bytes(4 * values.size(), '\0');
    auto* p = reinterpret_cast<uint8_t*>(bytes.data());
    for (uint32_t v : values) {
      pack_int(static_cast<int32_t>(v), p);
      p += 4;
    }
    add_bytes(field, doc, bytes);
  }

  void add_numbers(uint32_t i) {
    add_int("int", i, static_cast<int32_t>(mix(i, 1)));
    add_long("low", i, std::array<int64_t, 4>{-5, 0, 9, int64_t{1} << 40}[mix(i, 2) % 4]);
    add_int("same", i, 7);
    using L = std::numeric_limits<int64_t>;
    add_long("edge", i, std::array<int64_t, 4>{L::min(), L::max(), 0, -1}[i % 4]);
    for (uint32_t k = 0; k < i % 4; ++k) add_long("multi", i, mix(i, k) % 300);
    const float f = i % 10 < 8 ? special_float(i % 10)
                               : (static_cast<float>(mix(i, 4) % 65536) - 30000.0f) / 8.0f;
    add("float", i, {.kind = ValueKind::kFloat, .number = f});
    const double d = i % 10 < 8 ? special_double(i % 10) : mix(i, 5) / 7.0 - 3e8;
    add("double", i, {.kind = ValueKind::kDouble, .number = d});
    add_long("ascending", i, int64_t{i} * 3);
    if (i % 37 == 0) add_int("sparse", i, static_cast<int32_t>(i));
  }

  void add_packed(uint32_t i) {
    std::string raw(4, '\0');
    store_be32(raw.data(), mix(i, 3));
    add_bytes("binary16", i, std::string(12, '\0').append(raw));
    add_bytes("binary3", i, raw.substr(0, 3));
    add_ints("p2", i, {mix(i, 6), mix(i, 7) % 50});
    std::string p3(24, '\0');
    auto* p = reinterpret_cast<uint8_t*>(p3.data());
    pack_double(mix(i, 8) / 3.0, p);
    pack_double(-static_cast<double>(mix(i, 9)) / 3.0, p + 8);
    pack_double(special_double(i % 4), p + 16);
    add_bytes("p3", i, p3);
    add_ints("p4", i, {mix(i, 10) % 10, mix(i, 11) % 10, mix(i, 12) % 10, mix(i, 13) % 10});
    add_ints("p8", i,
             {mix(i, 14) % 28, mix(i, 15) % 30, mix(i, 16) % 32, mix(i, 17) % 34, mix(i, 18) % 36,
              mix(i, 19) % 38, mix(i, 20) % 40, mix(i, 21) % 42});
  }

  void SetUp() override {
    golden_ = open_directory(codec::golden_index("points"));
    std::memcpy(id_.data(),
                golden_->open("_0.kdm")->bytes().data() + 9 + std::strlen(codec::kPointsMetaCodec),
                id_.size());
    infos_ = codec::read_field_infos(*golden_, "_0", id_, "");
  }

  std::unique_ptr<Directory> golden_;
  store::ObjectId id_;
  codec::FieldInfos infos_;
  memory::MemoryCounter counter_;
  std::map<uint32_t, std::unique_ptr<invert::PointsBuffer>> buffers_;  // by field number
};

TEST_F(GoldenPoints, FilesAreThoseOfLucene) {
  for (uint32_t i = 0; i < kDocs; ++i) {
    add_numbers(i);
    add_packed(i);
  }
  const codec::PointsReader reader(*golden_, "_0", id_, kDocs);
  std::vector<PointsField> fields;
  for (const codec::PointsEntry& entry : reader.entries())
    fields.push_back({infos_.by_number(entry.field_number), buffers_[entry.field_number].get()});
  ASSERT_EQ(fields.size(), 15u);
  const auto ours = memory_directory();
  std::vector<std::string> files = {"_0.nvm"};
  write_points({*ours, "_0", id_, kDocs}, infos_, fields, files);
  EXPECT_EQ(files, (std::vector<std::string>{"_0.nvm", "_0.kdd", "_0.kdm", "_0.kdi"}));
  for (const char* name : {"_0.kdd", "_0.kdi", "_0.kdm"}) {
    const auto a = ours->open(name);
    const auto b = golden_->open(name);
    EXPECT_TRUE(std::ranges::equal(a->bytes(), b->bytes())) << name;
  }
  EXPECT_EQ(counter_.bytes(), 0u);
}

TEST(WritePoints, SegmentsWithoutPointsHaveNoFiles) {
  const auto directory = memory_directory();
  codec::FieldInfos infos;
  infos.fields.emplace_back().name = "text";
  std::vector<std::string> files;
  write_points({*directory, "_0", {}, 1}, infos, {}, files);
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(directory->list().empty());
}

// As Lucene does when every document with the field failed before its point.
TEST(WritePoints, FieldWithoutAPointHasNoEntry) {
  const auto directory = memory_directory();
  codec::FieldInfos infos;
  codec::FieldInfo& info = infos.fields.emplace_back();
  info.point_dimensions = info.point_index_dimensions = 1;
  info.point_bytes = 4;
  memory::MemoryCounter counter;
  invert::PointsBuffer none(counter, "n", 1, 1, 4);
  const PointsField fields[] = {{&info, &none}, {&info, nullptr}};
  std::vector<std::string> files;
  write_points({*directory, "_0", {}, 3}, infos, fields, files);
  EXPECT_EQ(files.size(), 3u);
  const codec::PointsReader reader(*directory, "_0", {}, 3);
  EXPECT_TRUE(reader.entries().empty());
}

}  // namespace
}  // namespace postern::index
