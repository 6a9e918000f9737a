// Matching of date patterns and what the numbers found mean.
#include <algorithm>
#include <cassert>

#include "opensearch/date_pattern.h"

namespace postern::opensearch {
namespace {

constexpr size_t kNoMatch = std::string_view::npos;
constexpr int64_t kLongestYear = 999'999'999;
constexpr int32_t kFarthestOffset = 18 * 3600;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char at(std::string_view text, size_t i) { return i < text.size() ? text[i] : '\0'; }

// Digits from `i` on, `limit` at most.
size_t count_digits(std::string_view text, size_t i, size_t limit) {
  size_t n = 0;
  while (n < limit && i + n < text.size() && is_digit(text[i + n])) ++n;
  return n;
}

// False if the field is known with another value.
bool set(DateParts& parts, DateField field, int64_t value) {
  if (parts.has(field)) return parts.get(field) == value;
  parts.values[static_cast<size_t>(field)] = value;
  parts.known = static_cast<uint8_t>(parts.known | 1u << static_cast<int>(field));
  return true;
}

size_t match_number(const DateStep& step, std::string_view text, size_t i, DateParts& parts) {
  const char sign = at(text, i);
  const bool minus = sign == '-' && step.sign != DateSign::kNone;
  const bool plus = sign == '+' && step.sign == DateSign::kExceedsPad;
  if (minus || plus) ++i;
  size_t digits = count_digits(text, i, size_t{step.max} + step.reserved);
  if (step.reserved != 0) {
    digits = std::min(digits,
                      std::max<size_t>(step.min, digits - std::min<size_t>(digits, step.reserved)));
  }
  if (digits < step.min) return kNoMatch;
  int64_t value = 0;
  for (const size_t end = i + digits; i < end; ++i) {
    // Nineteen digits and more are beyond every field.
    value = std::min<int64_t>(value * 10 + (text[i] - '0'), 100'000'000'000'000'000);
  }
  if (minus) {
    if (value == 0) return kNoMatch;
    value = -value;
  } else if (step.sign == DateSign::kExceedsPad && plus != (digits > step.min)) {
    return kNoMatch;
  }
  return set(parts, step.field, value) ? i : kNoMatch;
}

size_t match_fraction(const DateStep& step, std::string_view text, size_t i, DateParts& parts) {
  const size_t digits = count_digits(text, i, step.max);
  if (digits < step.min) return kNoMatch;
  int64_t nanos = 0;
  for (size_t k = 0; k < 9; ++k) nanos = nanos * 10 + (k < digits ? text[i + k] - '0' : 0);
  return set(parts, DateField::kNano, nanos) ? i + digits : kNoMatch;
}

// Two digits up to 59 (or `most`); -1 if there are none.
int32_t two_digits(std::string_view text, size_t i, int32_t most = 59) {
  if (count_digits(text, i, 2) != 2) return -1;
  const int32_t value = (text[i] - '0') * 10 + (text[i + 1] - '0');
  return value <= most ? value : -1;
}

// "+hh[:mm[:ss]]" as `step` has it.
size_t match_signed_offset(const DateStep& step, std::string_view text, size_t i, int32_t& offset) {
  const char sign = at(text, i);
  if (sign != '+' && sign != '-') return kNoMatch;
  const int32_t hours = two_digits(text, i + 1, 18);
  if (hours < 0) return kNoMatch;
  i += 3;
  const size_t colon = step.colon ? 1 : 0;
  int32_t minutes = step.colon && at(text, i) != ':' ? -1 : two_digits(text, i + colon);
  int32_t seconds = 0;
  if (minutes >= 0) {
    i += colon + 2;
    if (step.takes_seconds && (!step.colon || at(text, i) == ':')) {
      seconds = std::max(0, two_digits(text, i + colon));
      if (two_digits(text, i + colon) >= 0) i += colon + 2;
    }
  } else if (step.needs_minutes) {
    return kNoMatch;
  } else {
    minutes = 0;
  }
  const int32_t value = hours * 3600 + minutes * 60 + seconds;
  if (value > kFarthestOffset) return kNoMatch;
  offset = sign == '-' ? -value : value;
  return i;
}

size_t match_offset(const DateStep& step, std::string_view text, size_t i, DateParts& parts) {
  int32_t offset = 0;
  if (step.takes_z && at(text, i) == 'Z') {
    ++i;
  } else {
    i = match_signed_offset(step, text, i, offset);
    if (i == kNoMatch) return kNoMatch;
  }
  parts.has_offset = true;
  parts.offset = offset;
  return i;
}

// An offset, "Z", or a name of UTC with or without an offset behind it.
size_t match_zone(std::string_view text, size_t i, DateParts& parts) {
  static constexpr DateStep kForm{
      .kind = DateStepKind::kOffset, .colon = true, .needs_minutes = true, .takes_seconds = true};
  const std::string_view rest = text.substr(i);
  size_t end = i;
  int32_t offset = 0;
  if (rest.starts_with("UTC") || rest.starts_with("GMT")) {
    end += 3;
  } else if (rest.starts_with("UT")) {
    end += 2;
  } else if (rest.starts_with('Z')) {
    parts.has_zone = true;
    return i + 1;
  }
  const size_t behind = match_signed_offset(kForm, text, end, offset);
  if (behind == kNoMatch && end == i) return kNoMatch;
  parts.has_zone = true;
  parts.zone = behind == kNoMatch ? 0 : offset;
  return behind == kNoMatch ? end : behind;
}

size_t match(std::span<const DateStep> steps, std::string_view text, size_t i, DateParts& parts) {
  for (size_t s = 0; s < steps.size() && i != kNoMatch; ++s) {
    const DateStep& step = steps[s];
    switch (step.kind) {
      case DateStepKind::kNumber:
        i = match_number(step, text, i, parts);
        break;
      case DateStepKind::kFraction:
        i = match_fraction(step, text, i, parts);
        break;
      case DateStepKind::kLiteral:
        i = i < text.size() && text[i] == step.literal ? i + 1 : kNoMatch;
        break;
      case DateStepKind::kOffset:
        i = match_offset(step, text, i, parts);
        break;
      case DateStepKind::kZone:
        i = match_zone(text, i, parts);
        break;
      case DateStepKind::kOptional: {
        if (i < text.size()) {
          DateParts inner = parts;
          const size_t end = match(steps.subspan(s + 1, step.length), text, i, inner);
          if (end != kNoMatch) {
            parts = inner;
            i = end;
          }
        }
        s += step.length;
        break;
      }
    }
  }
  return i;
}

// Days from 1970-01-01 to the first of the month, in the calendar of ISO 8601.
int64_t days_to_month(int64_t year, int64_t month) {
  const int64_t y = month <= 2 ? year - 1 : year;
  const int64_t era = (y >= 0 ? y : y - 399) / 400;
  const int64_t year_of_era = y - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719468;
}

int64_t days_in_month(int64_t year, int64_t month) {
  return month == 12 ? 31 : days_to_month(year, month + 1) - days_to_month(year, month);
}

bool within(const DateParts& parts, DateField field, int64_t first, int64_t last) {
  return !parts.has(field) || (parts.get(field) >= first && parts.get(field) <= last);
}

// What java.time checks in any case.
bool java_in_range(const DateParts& parts) {
  return within(parts, DateField::kYearOfEra, 1, kLongestYear) &&
         within(parts, DateField::kHour, 0, 23) && within(parts, DateField::kMinute, 0, 59) &&
         within(parts, DateField::kSecond, 0, 59);
}

bool has_time(const DateParts& parts) {
  const bool minute = parts.has(DateField::kMinute);
  const bool second = parts.has(DateField::kSecond);
  if (!parts.has(DateField::kHour)) return false;
  return parts.has(DateField::kNano) ? minute && second : minute || !second;
}

int64_t value_or(const DateParts& parts, DateField field, int64_t other) {
  return parts.has(field) ? parts.get(field) : other;
}

}  // namespace

bool match_date(std::span<const DateStep> steps, std::string_view text, DateParts& parts) {
  return match(steps, text, 0, parts) == text.size();
}

DateOutcome resolve_date(const DateParts& parts, DateResolver resolver, DateInstant& instant) {
  const bool lenient = resolver == DateResolver::kLenient;
  if (!lenient && !java_in_range(parts)) return DateOutcome::kNo;
  const bool of_era = parts.has(DateField::kYearOfEra);
  const DateField year_field = of_era ? DateField::kYearOfEra : DateField::kYear;
  const bool has_year = parts.has(year_field);
  const bool has_month = parts.has(DateField::kMonth);
  const bool time = has_time(parts);
  // java.time makes a date of year, month and day; of a year of an era it does not, for want of an
  // era, and OpenSearch makes it afterwards.
  const bool by_java = parts.has(DateField::kYear) && has_month && parts.has(DateField::kDay);
  const DateOutcome wrong = by_java ? DateOutcome::kNo : DateOutcome::kRefused;
  if (!has_year && !has_month && !time) return wrong;

  int64_t year = value_or(parts, year_field, 1970);
  if (year < -kLongestYear || year > kLongestYear) return wrong;
  if (value_or(parts, DateField::kYear, year) != year) return wrong;
  if (has_year && !has_month && time) year = 1970;
  int64_t month = value_or(parts, DateField::kMonth, 1);
  const int64_t day = has_month ? value_or(parts, DateField::kDay, 1) : 1;
  if (lenient) {
    const int64_t months = month - 1;
    const int64_t carry = (months >= 0 ? months : months - 11) / 12;
    year += carry;
    month = months - carry * 12 + 1;
  } else if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) {
    return wrong;
  }

  int64_t seconds = (days_to_month(year, month) + day - 1) * 86400;
  instant.nanos = 0;
  if (time) {
    seconds += parts.get(DateField::kHour) * 3600 + value_or(parts, DateField::kMinute, 0) * 60 +
               value_or(parts, DateField::kSecond, 0);
    instant.nanos = static_cast<int32_t>(value_or(parts, DateField::kNano, 0));
  }
  instant.seconds = seconds - (parts.has_zone ? parts.zone : parts.offset);
  return DateOutcome::kYes;
}

}  // namespace postern::opensearch
