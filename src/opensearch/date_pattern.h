// The patterns of java.time (DateTimeFormatter) as far as formats of dates need them, in strict
// parsing: a pattern is compiled to steps, and steps are matched against a text.
//
//   letters          field                       one letter      several
//   y, u             year of era, year           any number      at least as many digits; more than
//                                                of digits       that only behind a sign
//   M d H m s        month … second              any number      two digits exactly
//   S                fraction of the second      as many digits as letters, nine at most
//   X, x, Z          offset from UTC             forms by count, as java.time has them
//   [ ]              what may be left out
//   ' '              literal text; '' is a quote
//
// Digits that touch are shared out as java.time does it: a number of fixed width takes its digits,
// and the one before it of variable width takes what is left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace postern::opensearch {

enum class DateField : uint8_t { kYear, kYearOfEra, kMonth, kDay, kHour, kMinute, kSecond, kNano };
inline constexpr size_t kDateFields = 8;

enum class DateStepKind : uint8_t { kNumber, kFraction, kLiteral, kOptional, kOffset, kZone };

// Which signs a number may have: none; a minus; a minus, or a plus if there are more digits than
// `min`, which then is required.
enum class DateSign : uint8_t { kNone, kMinus, kExceedsPad };

struct DateStep {
  DateStepKind kind = DateStepKind::kLiteral;
  DateField field = DateField::kYear;  // kNumber
  uint8_t min = 0, max = 0;            // digits of kNumber, kFraction
  DateSign sign = DateSign::kNone;
  uint8_t reserved = 0;  // kNumber: digits at its end that belong to the numbers behind it
  char literal = 0;
  // kOffset: "+hh", then minutes and seconds, with colons between them or not.
  bool colon = false, needs_minutes = false, takes_seconds = false, takes_z = false;
  uint16_t length = 0;  // kOptional: number of steps that may be left out
};

// What a text said.
struct DateParts {
  std::array<int64_t, kDateFields> values{};
  uint8_t known = 0;  // bit by DateField
  bool has_zone = false, has_offset = false;
  int32_t zone = 0, offset = 0;  // seconds east of UTC; a zone counts before an offset

  bool has(DateField field) const { return (known >> static_cast<int>(field) & 1) != 0; }
  int64_t get(DateField field) const { return values[static_cast<size_t>(field)]; }
};

// A point in time: seconds since 1970-01-01T00:00:00Z, rounded down, and nanoseconds.
struct DateInstant {
  int64_t seconds = 0;
  int32_t nanos = 0;
};

// kOpenSearch: the extra letters in which date_format.cc writes the formats that have names:
//   i  year of one to five digits         j  year of four digits, with a minus before it or not
//   f  fraction of one to nine digits     V  offset, "Z", or the names UTC, GMT, UT (any count)
// single letters stand for one or two digits, and u for ten at most.
enum class DateLetters : uint8_t { kJava, kOpenSearch };

// Throws NotSupported or InvalidArgument; the message says what is wrong, without the pattern.
std::vector<DateStep> compile_date_pattern(std::string_view pattern, DateLetters letters);

// Whether the whole text is what the steps say. Allocates nothing.
bool match_date(std::span<const DateStep> steps, std::string_view text, DateParts& parts);

// Strict: every field within its range, and the day in its month. Lenient: months and days beyond
// their range carry over.
enum class DateResolver : uint8_t { kStrict, kLenient };

// kNo: a text that java.time refuses, so that the next format has its turn. kRefused: one that
// java.time takes and OpenSearch then refuses, whatever other formats there are.
enum class DateOutcome : uint8_t { kYes, kNo, kRefused };

// What OpenSearch fills in: a date without day or month has its first, a time without a date is of
// 1970-01-01, and so is one that has only a year. `instant` is set for kYes only.
DateOutcome resolve_date(const DateParts& parts, DateResolver resolver, DateInstant& instant);

}  // namespace postern::opensearch
