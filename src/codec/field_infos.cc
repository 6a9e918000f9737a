#include "codec/field_infos.h"

#include <algorithm>
#include <unordered_set>

#include "codec/java_hash_order.h"
#include "codec/segment_context.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

constexpr std::string_view kCodec = "Lucene94FieldInfos";
constexpr uint32_t kFormat = 2;

constexpr uint8_t kTermVectorsBit = 0x01;
constexpr uint8_t kOmitNormsBit = 0x02;
constexpr uint8_t kPayloadsBit = 0x04;
constexpr uint8_t kSoftDeletesBit = 0x08;
constexpr uint8_t kParentBit = 0x10;
constexpr uint8_t kUnknownBits = 0xC0;

// Table size that explains the order of the attributes in Lucene's files.
constexpr uint32_t kAttributeBuckets = 8;

uint8_t bits_of(const FieldInfo& f) {
  uint8_t bits = 0;
  if (f.term_vectors) bits |= kTermVectorsBit;
  if (f.omit_norms && f.indexed()) bits |= kOmitNormsBit;
  if (f.payloads) bits |= kPayloadsBit;
  if (f.soft_deletes) bits |= kSoftDeletesBit;
  if (f.parent) bits |= kParentBit;
  return bits;
}

void write_field(store::IndexOutput& out, const FieldInfo& f) {
  out.write_string(f.name);
  out.write_vint(f.number);
  out.write_byte(bits_of(f));
  out.write_byte(static_cast<uint8_t>(f.index_options));
  out.write_byte(static_cast<uint8_t>(f.doc_values));
  out.write_byte(f.doc_values_skip_index ? 1 : 0);
  out.write_le64(static_cast<uint64_t>(f.doc_values_generation));
  auto attributes = f.attributes;
  sort_as_java_map(
      attributes, [](const auto& a) -> std::string_view { return a.first; }, kAttributeBuckets);
  out.write_string_map(attributes);
  out.write_vint(f.point_dimensions);
  if (f.point_dimensions != 0) {
    out.write_vint(f.point_index_dimensions);
    out.write_vint(f.point_bytes);
  }
  out.write_vint(f.vector_dimension);
  // A field without vectors carries FLOAT32 and EUCLIDEAN.
  bool vectors = f.vector_dimension != 0;
  out.write_byte(static_cast<uint8_t>(vectors ? f.vector_encoding : VectorEncoding::kFloat32));
  out.write_byte(
      static_cast<uint8_t>(vectors ? f.vector_similarity : VectorSimilarity::kEuclidean));
}

// Reads fields of one .fnm; errors name the field.
class Reader {
 public:
  explicit Reader(ByteReader& in) : in_(in) {}

  FieldInfo read() {
    field_ = FieldInfo();
    field_.name = in_.read_string();
    field_.number = read_int("number");
    read_flags();
    field_.doc_values_generation = static_cast<int64_t>(in_.read_le64());
    field_.attributes = in_.read_string_map();
    read_points_and_vectors();
    check();
    return std::move(field_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    in_.fail("field '" + field_.name + "': " + what);
  }

  template <class Enum>
  Enum read_enum(Enum last, const char* what) {
    uint8_t code = in_.read_byte();
    if (code > static_cast<uint8_t>(last))
      fail(std::string(what) + " has the unknown code " + std::to_string(code));
    return static_cast<Enum>(code);
  }

  // A vInt that Lucene keeps in a signed int.
  uint32_t read_int(const char* what) {
    uint32_t v = in_.read_vint();
    if (v > 0x7fffffff) fail(std::string(what) + " is negative");
    return v;
  }

  void read_flags() {
    uint8_t bits = in_.read_byte();
    if ((bits & kUnknownBits) != 0) fail("has unknown bits: " + std::to_string(bits));
    field_.term_vectors = (bits & kTermVectorsBit) != 0;
    field_.omit_norms = (bits & kOmitNormsBit) != 0;
    field_.payloads = (bits & kPayloadsBit) != 0;
    field_.soft_deletes = (bits & kSoftDeletesBit) != 0;
    field_.parent = (bits & kParentBit) != 0;
    field_.index_options = read_enum(IndexOptions::kOffsets, "index options");
    field_.doc_values = read_enum(DocValuesType::kSortedNumeric, "doc values type");
    uint8_t skip = in_.read_byte();
    if (skip > 1) fail("doc values skip index has the unknown code " + std::to_string(skip));
    field_.doc_values_skip_index = skip == 1;
  }

  void read_points_and_vectors() {
    field_.point_dimensions = read_int("point dimension count");
    if (field_.point_dimensions != 0) {
      field_.point_index_dimensions = read_int("point index dimension count");
      field_.point_bytes = read_int("bytes per point dimension");
    }
    field_.vector_dimension = read_int("vector dimension");
    field_.vector_encoding = read_enum(VectorEncoding::kFloat32, "vector encoding");
    field_.vector_similarity = read_enum(VectorSimilarity::kMaxInnerProduct, "vector similarity");
  }

  void check() const {
    const FieldInfo& f = field_;
    if (!f.indexed() && (f.term_vectors || f.omit_norms || f.payloads))
      fail("is not indexed but has term vectors, payloads or omits norms");
    if (f.payloads && !f.has_positions()) fail("has payloads but no positions");
    if (f.doc_values_skip_index &&
        (f.doc_values == DocValuesType::kNone || f.doc_values == DocValuesType::kBinary))
      fail("has a skip index over doc values that cannot have one");
    if (f.doc_values_generation < -1 || f.doc_values_generation == 0)
      fail("has the doc values generation " + std::to_string(f.doc_values_generation));
    if (f.doc_values_generation != -1 && f.doc_values == DocValuesType::kNone)
      fail("has a doc values generation but no doc values");
    if (f.point_dimensions != 0 && (f.point_bytes == 0 || f.point_index_dimensions == 0 ||
                                    f.point_index_dimensions > f.point_dimensions))
      fail("has " + std::to_string(f.point_dimensions) + " point dimensions, " +
           std::to_string(f.point_index_dimensions) + " of them indexed, of " +
           std::to_string(f.point_bytes) + " bytes");
    if (f.soft_deletes && f.parent) fail("is both the soft-deletes and the parent field");
  }

  ByteReader& in_;
  FieldInfo field_;
};

void check_unique(const ByteReader& in, const FieldInfos& infos) {
  std::unordered_set<std::string_view> names;
  uint32_t soft_deletes = 0;
  uint32_t parents = 0;
  for (size_t i = 0; i < infos.fields.size(); ++i) {
    const FieldInfo& f = infos.fields[i];
    if (!names.insert(f.name).second) in.fail("holds the field '" + f.name + "' twice");
    if (i > 0 && infos.fields[i - 1].number == f.number)
      in.fail("fields '" + infos.fields[i - 1].name + "' and '" + f.name + "' share the number " +
              std::to_string(f.number));
    soft_deletes += f.soft_deletes;
    parents += f.parent;
  }
  if (soft_deletes > 1 || parents > 1) in.fail("has several soft-deletes or parent fields");
}

}  // namespace

const FieldInfo* FieldInfos::by_number(uint32_t number) const {
  auto at = std::ranges::lower_bound(fields, number, {}, &FieldInfo::number);
  return at != fields.end() && at->number == number ? &*at : nullptr;
}

const FieldInfo* FieldInfos::by_name(std::string_view name) const {
  auto at = std::ranges::find(fields, name, &FieldInfo::name);
  return at != fields.end() ? &*at : nullptr;
}

bool FieldInfos::any_postings() const { return std::ranges::any_of(fields, &FieldInfo::indexed); }
bool FieldInfos::any_positions() const {
  return std::ranges::any_of(fields, &FieldInfo::has_positions);
}
bool FieldInfos::any_offsets_or_payloads() const {
  return std::ranges::any_of(fields,
                             [](const FieldInfo& f) { return f.has_offsets() || f.payloads; });
}
bool FieldInfos::any_norms() const { return std::ranges::any_of(fields, &FieldInfo::has_norms); }

std::string write_field_infos(Directory& directory, const std::string& segment,
                              const store::ObjectId& id, std::string_view suffix,
                              const FieldInfos& infos) {
  store::IndexOutput out(directory, segment_file(segment, std::string(suffix), "fnm"));
  store::write_index_header(out, kCodec, kFormat, id, suffix);
  out.write_vint(static_cast<uint32_t>(infos.fields.size()));
  for (const FieldInfo& f : infos.fields) write_field(out, f);
  store::write_footer(out);
  out.close();
  return out.name();
}

FieldInfos read_field_infos(const Directory& directory, const std::string& segment,
                            const store::ObjectId& id, std::string_view suffix) {
  std::string name = segment_file(segment, std::string(suffix), "fnm");
  auto file = directory.open(name);
  ByteReader in = store::open_whole(file->bytes(), name, {kCodec, kFormat, kFormat, &id, suffix});
  FieldInfos infos;
  Reader reader(in);
  for (uint32_t n = in.read_count(); n > 0; --n) infos.fields.push_back(reader.read());
  store::check_at_end(in);
  std::ranges::stable_sort(infos.fields, {}, &FieldInfo::number);
  check_unique(in, infos);
  return infos;
}

}  // namespace postern::codec
