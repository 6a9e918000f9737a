#include "codec/stored_fields_format.h"

#include <bit>
#include <cmath>
#include <string>

#include "base/bytes.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

constexpr StoredFieldsFormat kBestSpeed = {"Lucene90StoredFieldsFastData", 10 * 8 * 1024, 1024};
constexpr StoredFieldsFormat kBestCompression = {"Lucene90StoredFieldsHighData", 10 * 48 * 1024,
                                                 4096};
constexpr const char* kModeNames[] = {"BEST_SPEED", "BEST_COMPRESSION"};

// Writes -1 ≤ value ≤ most in one byte if it is such an integer, and tells whether it did.
template <class Float>
bool encode_small_integer(Float value, int most, uint8_t* out) {
  if (!(value >= -1 && value <= static_cast<Float>(most))) return false;
  const int integer = static_cast<int>(value);
  if (static_cast<Float>(integer) != value || (integer == 0 && std::signbit(value))) return false;
  *out = static_cast<uint8_t>(0x80 | (integer + 1));
  return true;
}

// Java writes every NaN as this one.
template <class Bits, class Float>
Bits canonical_bits(Float value, Bits nan) {
  return value == value ? std::bit_cast<Bits>(value) : nan;
}

}  // namespace

const char* stored_fields_mode_name(StoredFieldsMode mode) {
  return kModeNames[static_cast<int>(mode)];
}

StoredFieldsMode stored_fields_mode(std::string_view name, std::string_view file) {
  if (name == kModeNames[0]) return StoredFieldsMode::kBestSpeed;
  if (name == kModeNames[1]) return StoredFieldsMode::kBestCompression;
  throw CorruptIndex(std::string(file) + ": unknown stored fields mode \"" + std::string(name) +
                     "\"");
}

const StoredFieldsFormat& stored_fields_format(StoredFieldsMode mode) {
  return mode == StoredFieldsMode::kBestSpeed ? kBestSpeed : kBestCompression;
}

size_t encode_stored_float(float value, uint8_t* out) {
  if (encode_small_integer(value, 125, out)) return 1;
  const uint32_t bits = canonical_bits(value, uint32_t{0x7fc00000});
  if (bits >> 31 == 0) {
    out[0] = static_cast<uint8_t>(bits >> 24);
    store_le(out + 1, static_cast<uint16_t>(bits >> 8));
    out[3] = static_cast<uint8_t>(bits);
    return 4;
  }
  out[0] = 0xff;
  store_le(out + 1, bits);
  return 5;
}

size_t encode_stored_double(double value, uint8_t* out) {
  if (encode_small_integer(value, 124, out)) return 1;
  // A double beyond the floats becomes infinity here, which is not equal to it.
  const auto narrow = static_cast<float>(value);
  if (static_cast<double>(narrow) == value) {
    out[0] = 0xfe;
    store_le(out + 1, narrow);
    return 5;
  }
  const uint64_t bits = canonical_bits(value, uint64_t{0x7ff8000000000000});
  if (bits >> 63 == 0) {
    out[0] = static_cast<uint8_t>(bits >> 56);
    store_le(out + 1, static_cast<uint32_t>(bits >> 24));
    store_le(out + 5, static_cast<uint16_t>(bits >> 8));
    out[7] = static_cast<uint8_t>(bits);
    return 8;
  }
  out[0] = 0xff;
  store_le(out + 1, bits);
  return 9;
}

// Times are often whole seconds, hours or days; the two top bits tell the unit.
size_t encode_stored_long(int64_t value, uint8_t* out) {
  constexpr int64_t kSecond = 1000, kHour = 3600 * kSecond, kDay = 24 * kHour;
  uint32_t unit = 0x00;
  if (value % kSecond == 0) {
    if (value % kDay == 0) {
      unit = 0xc0;
      value /= kDay;
    } else if (value % kHour == 0) {
      unit = 0x80;
      value /= kHour;
    } else {
      unit = 0x40;
      value /= kSecond;
    }
  }
  const uint64_t z = zigzag64(value);
  uint64_t rest = z >> 5;
  out[0] = static_cast<uint8_t>(unit | (rest != 0 ? 0x20u : 0u) | (z & 0x1f));
  if (rest == 0) return 1;
  size_t n = 1;
  for (; rest >= 0x80; rest >>= 7) out[n++] = static_cast<uint8_t>(rest | 0x80);
  out[n++] = static_cast<uint8_t>(rest);
  return n;
}

}  // namespace postern::codec
