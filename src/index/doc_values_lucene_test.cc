// The files of generated documents equal those that Lucene 10.4 writes. The sums below were taken
// from Lucene's files. To make them anew:
//
//   POSTERN_DOC_VALUES_CASES=DIR index_test --gtest_filter='*LucenesFiles*'   writes the documents
//   for c in small numbers documents terms skip fields; do
//     ORACLE_JAVA_OPTS="-Dtests.seed=2" tests/java/oracle build DIR/$c.jsonl DIR/$c.schema.json
//       DIR/$c --compound false --max-buffered-docs 3000000 --ram-mb 1900 --no-merge; done
//   the first command again                           prints Lucene's sums and the first difference
#include <gtest/gtest.h>

#include <cinttypes>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "codec/test_files.h"
#include "index/doc_values_cases.h"
#include "index/doc_values_flush.h"
#include "index/field_order.h"

namespace postern::index {
namespace {

using codec::testing::Bytes;
using testing::CaseField;
using testing::CaseValue;
using testing::DocValuesCase;

constexpr const char* kTypeNames[] = {"none",   "numeric",    "binary",
                                      "sorted", "sorted_set", "sorted_numeric"};

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

std::string json(const CaseValue& value, DocValuesType type) {
  const bool binary = type == DocValuesType::kBinary;
  switch (binary ? ValueKind::kBytes : value.kind) {
    case ValueKind::kText:
      return '"' + value.bytes + '"';  // the cases have nothing to escape
    case ValueKind::kBytes: {
      const std::string quoted = '"' + base64(value.bytes) + '"';
      return binary ? quoted : "{\"base64\": " + quoted + "}";
    }
    case ValueKind::kFloat:
    case ValueKind::kDouble: {
      if (std::isnan(value.number)) return "\"NaN\"";
      if (std::isinf(value.number)) return value.number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
      char text[64];
      std::snprintf(text, sizeof text, "%.17g", value.number);
      return text;
    }
    default:
      return std::to_string(value.integer);
  }
}

const char* schema_type(const CaseField& field) {
  switch (field.kind) {
    case ValueKind::kInt:
      return "int";
    case ValueKind::kLong:
      return "long";
    case ValueKind::kFloat:
      return "float";
    case ValueKind::kDouble:
      return "double";
    default:
      return field.type == DocValuesType::kBinary ? "binary" : "keyword";
  }
}

void write_json(const DocValuesCase& c, const std::string& path) {
  std::ofstream schema(path + ".schema.json");
  schema << "{\"fields\": [";
  for (const CaseField& field : c.fields) {
    schema << (&field == c.fields.data() ? "" : ",") << "\n{\"name\": \"" << field.name
           << "\", \"type\": \"" << schema_type(field) << "\", \"index\": false, \"doc_values\": \""
           << kTypeNames[static_cast<size_t>(field.type)] << '"'
           << (field.skip_index ? ", \"doc_values_skip_index\": true}" : "}");
  }
  schema << "]}\n";
  std::ofstream out(path + ".jsonl");
  std::vector<CaseValue> values;
  for (uint32_t doc = 0; doc < c.documents; ++doc) {
    std::string line;
    for (const CaseField& field : c.fields) {
      values.clear();
      field.values(doc, values);
      if (values.empty()) continue;
      line += (line.empty() ? "\"" : ",\"") + field.name + "\":[";
      for (const CaseValue& value : values)
        line += (&value == values.data() ? "" : ",") + json(value, field.type);
      line += ']';
    }
    out << '{' << line << "}\n";
  }
}

// Indexes the documents and writes their segment; fields are numbered as they appear.
std::vector<std::string> write_files(const DocValuesCase& c, Directory& directory) {
  invert::BufferMemory memory(PoolLayout::kInline, Limits());
  std::vector<std::unique_ptr<invert::DocValuesBuffer>> buffers(c.fields.size());
  std::vector<size_t> seen;
  std::vector<CaseValue> values;
  for (uint32_t doc = 0; doc < c.documents; ++doc) {
    for (size_t f = 0; f < c.fields.size(); ++f) {
      values.clear();
      c.fields[f].values(doc, values);
      if (values.empty()) continue;
      if (buffers[f] == nullptr) {
        buffers[f] = std::make_unique<invert::DocValuesBuffer>(memory, Limits(), c.fields[f].name,
                                                               c.fields[f].type);
        seen.push_back(f);
      }
      for (const CaseValue& value : values) buffers[f]->add(doc, value.view());
    }
  }
  std::vector<codec::FieldInfo> infos;
  std::vector<std::string_view> names;
  for (size_t f : seen) {
    codec::FieldInfo& info = infos.emplace_back();
    info.name = c.fields[f].name;
    info.number = static_cast<uint32_t>(infos.size() - 1);
    info.doc_values = c.fields[f].type;
    info.doc_values_skip_index = c.fields[f].skip_index;
    names.push_back(c.fields[f].name);
  }
  std::vector<BufferedDocValues> fields;
  for (uint32_t i : bucket_order(names)) fields.push_back({&infos[i], buffers[seen[i]].get()});
  std::vector<std::string> files;
  write_doc_values({directory, "_0", codec::testing::test_id(), c.documents}, fields, files);
  return files;
}

// Without header and footer, in which the segment's id is.
Bytes body(const Bytes& file) {
  const size_t header =
      9 + file[4] + 16 + 1 + std::string_view("Lucene90_0").size();  // file[4]: the codec's length
  return {file.begin() + static_cast<ptrdiff_t>(header), file.end() - store::kFooterLength};
}

struct Sum {
  size_t size;
  uint32_t crc;
  bool operator==(const Sum&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Sum& sum) {
  return out << "{" << sum.size << ", 0x" << std::hex << sum.crc << std::dec << "}";
}
Sum sum_of(const Bytes& bytes) { return {bytes.size(), store::crc32(0, bytes)}; }

// Prints Lucene's sums, and says where our file leaves its.
void compare_with_lucene(const std::filesystem::path& index, const std::string& name,
                         const Bytes& ours) {
  const Bytes theirs = body(codec::testing::read_file(*open_directory(index), name));
  std::cout << index.filename().string() << ' ' << name << ' ' << sum_of(theirs) << '\n';
  size_t at = 0;
  while (at < ours.size() && at < theirs.size() && ours[at] == theirs[at]) ++at;
  EXPECT_TRUE(ours == theirs) << name << " of " << ours.size() << " bytes, Lucene's "
                              << theirs.size() << ", differs at " << at;
}

struct Expected {
  const char* name;
  Sum data;
  Sum meta;
};
constexpr Expected kLucene[] = {
    {"small", {532141, 0x19f85385}, {3188, 0xf9b1039e}},
    {"numbers", {5008635, 0x2df25a23}, {7320, 0xe7bcf736}},
    {"documents", {5898852, 0x6314ce8e}, {4484, 0x512b5c6a}},
    {"terms", {6634442, 0xc3294099}, {3443, 0x6d6b0566}},
    {"skip", {4220009, 0x5101eaad}, {359, 0xfe8c72e1}},
    {"fields", {7569, 0x3a78e7a7}, {44016, 0xfa4c5919}},
};

TEST(DocValuesFlush, LucenesFilesByteForByte) {
  const char* folder = std::getenv("POSTERN_DOC_VALUES_CASES");
  const std::vector<DocValuesCase> cases = testing::doc_values_cases();
  ASSERT_EQ(cases.size(), std::size(kLucene));
  for (size_t i = 0; i < cases.size(); ++i) {
    const DocValuesCase& c = cases[i];
    SCOPED_TRACE(c.name);
    const auto directory = memory_directory();
    const std::vector<std::string> files = write_files(c, *directory);
    ASSERT_EQ(files, (std::vector<std::string>{"_0_Lucene90_0.dvd", "_0_Lucene90_0.dvm"}));
    const Bytes data = body(codec::testing::read_file(*directory, files[0]));
    const Bytes meta = body(codec::testing::read_file(*directory, files[1]));
    if (folder != nullptr) {
      const std::filesystem::path index = std::filesystem::path(folder) / c.name;
      if (std::filesystem::exists(index)) {
        compare_with_lucene(index, files[0], data);
        compare_with_lucene(index, files[1], meta);
      } else {
        write_json(c, index.string());
      }
      continue;
    }
    EXPECT_EQ(c.name, kLucene[i].name);
    EXPECT_EQ(sum_of(data), kLucene[i].data);
    EXPECT_EQ(sum_of(meta), kLucene[i].meta);
  }
}

}  // namespace
}  // namespace postern::index
