#include "codec/index_sort_format.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "base/byte_buffer.h"
#include "base/sortable_bits.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

constexpr const char* kSingle = "SortField";
constexpr const char* kNumbers = "SortedNumericSortField";
constexpr const char* kStrings = "SortedSetSortField";
constexpr const char* kSelectors[] = {"min", "max", "middle min", "middle max"};
enum SetMissing : uint32_t { kNone = 0, kFirst = 1, kLast = 2 };

const char* type_name(const SortKey& key) {
  static constexpr const char* kNames[] = {"INT", "LONG", "FLOAT", "DOUBLE"};
  if (key.doc_values == DocValuesType::kSorted) return "STRING";
  return kNames[static_cast<size_t>(key.number)];
}

bool has_wide_missing(std::string_view type) { return type == "LONG" || type == "DOUBLE"; }

// A key as the file has it. Missing values: of strings, 1 for first; of numbers, the integer that
// sorts as they do.
struct RecordedKey {
  std::string provider;
  std::string field;
  std::string type;  // empty for kStrings
  uint32_t reverse = 0;
  std::optional<uint32_t> selector;
  std::optional<int64_t> missing;
};

uint32_t read_int_up_to(ByteReader& in, uint32_t max, const char* what) {
  const uint32_t v = in.read_le32();
  if (v > max)
    in.fail(std::string(what) + " is " + std::to_string(v) + ", at most " + std::to_string(max) +
            " is known");
  return v;
}

void read_missing(ByteReader& in, RecordedKey& key, bool strings_allowed) {
  const bool string = key.type == "STRING";
  const bool known = string
                         ? strings_allowed
                         : key.type == "INT" || key.type == "FLOAT" || has_wide_missing(key.type);
  if (!known) in.fail("index sort has the unknown type '" + key.type + "'");
  if (read_int_up_to(in, 1, "index sort: missing value flag") == 0) return;
  if (string) {
    key.missing = read_int_up_to(in, 1, "index sort: missing first");
  } else if (has_wide_missing(key.type)) {
    key.missing = static_cast<int64_t>(in.read_le64());
  } else {
    key.missing = static_cast<int32_t>(in.read_le32());
  }
}

RecordedKey read_key(ByteReader& in) {
  RecordedKey key;
  key.provider = in.read_string();
  key.field = in.read_string();
  if (key.provider == kSingle || key.provider == kNumbers) {
    key.type = in.read_string();
    key.reverse = read_int_up_to(in, 1, "index sort: reverse");
    if (key.provider == kNumbers) key.selector = read_int_up_to(in, 1, "index sort: selector");
    read_missing(in, key, key.provider == kSingle);
  } else if (key.provider == kStrings) {
    key.reverse = read_int_up_to(in, 1, "index sort: reverse");
    key.selector = read_int_up_to(in, 3, "index sort: selector");
    const uint32_t missing = read_int_up_to(in, 2, "index sort: missing value");
    if (missing != kNone) key.missing = missing == kFirst ? 1 : 0;
  } else {
    throw NotSupported(std::string(in.name()) + ": index sort by '" + key.provider + "'");
  }
  return key;
}

std::string missing_text(const RecordedKey& key) {
  if (!key.missing) return "no missing value";
  const int64_t v = *key.missing;
  if (key.type.empty() || key.type == "STRING")
    return v != 0 ? "missing lowest" : "missing highest";
  // The mapping to sortable bits is its own inverse.
  if (key.type == "FLOAT") {
    const auto bits = static_cast<int32_t>(v ^ ((v >> 63) & 0x7fffffff));
    return "missing = " + std::to_string(std::bit_cast<float>(bits));
  }
  if (key.type == "DOUBLE") {
    const int64_t bits = v ^ ((v >> 63) & std::numeric_limits<int64_t>::max());
    return "missing = " + std::to_string(std::bit_cast<double>(bits));
  }
  return "missing = " + std::to_string(v);
}

}  // namespace

int64_t missing_number(const SortKey& key) {
  if (key.missing == SortMissing::kDefault) return 0;
  const bool least = (key.missing == SortMissing::kFirst) != key.descending;
  switch (key.number) {
    case SortNumber::kInt:
      return least ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int32_t>::max();
    case SortNumber::kLong:
      return least ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
    case SortNumber::kFloat:
      return sortable_float_bits(least ? -HUGE_VALF : HUGE_VALF);
    case SortNumber::kDouble:
      return sortable_double_bits(least ? -HUGE_VAL : HUGE_VAL);
  }
  return 0;
}

bool missing_string_first(const SortKey& key) {
  if (key.missing == SortMissing::kDefault) return true;
  return (key.missing == SortMissing::kFirst) != key.descending;
}

std::string encode_sort_key(const SortKey& key) {
  ByteBuffer out;
  const bool has_missing = key.missing != SortMissing::kDefault;
  const bool strings =
      key.doc_values == DocValuesType::kSorted || key.doc_values == DocValuesType::kSortedSet;
  const bool several = key.doc_values == DocValuesType::kSortedNumeric ||
                       key.doc_values == DocValuesType::kSortedSet;
  out.write_string(!several ? kSingle : strings ? kStrings : kNumbers);
  out.write_string(key.field);
  if (key.doc_values != DocValuesType::kSortedSet) out.write_string(type_name(key));
  out.write_le32(key.descending ? 1 : 0);
  if (several) out.write_le32(static_cast<uint32_t>(key.mode));
  if (key.doc_values == DocValuesType::kSortedSet) {
    out.write_le32(!has_missing ? kNone : missing_string_first(key) ? kFirst : kLast);
  } else {
    out.write_le32(has_missing ? 1 : 0);
    if (!has_missing) {
    } else if (strings) {
      out.write_le32(missing_string_first(key) ? 1 : 0);
    } else if (has_wide_missing(type_name(key))) {
      out.write_le64(static_cast<uint64_t>(missing_number(key)));
    } else {
      out.write_le32(static_cast<uint32_t>(missing_number(key)));
    }
  }
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

std::string read_sort_key(ByteReader& in, std::span<const uint8_t> file) {
  const size_t begin = in.position();
  read_key(in);
  const auto bytes = file.subspan(begin, in.position() - begin);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string describe_sort_key(std::string_view bytes) {
  ByteReader in({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, "a sort key");
  const RecordedKey key = read_key(in);
  std::string text = "\"" + key.field + "\" (" + key.provider;
  if (!key.type.empty()) text += ", " + key.type;
  if (key.selector) text += std::string(", ") + kSelectors[*key.selector];
  text += key.reverse != 0 ? ", descending, " : ", ascending, ";
  return text + missing_text(key) + ")";
}

}  // namespace postern::codec
