#include "opensearch/date_format.h"

#include <limits>

#include "postern/error.h"

namespace postern::opensearch {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// The formats that have names, in the letters of DateLetters::kOpenSearch. A name in two rows
// matches either way.
struct NamedFormat {
  std::string_view name;
  std::string_view pattern;
  DateResolver resolver = DateResolver::kStrict;
};
constexpr NamedFormat kNamed[] = {
    {"strict_date_optional_time", "uuuu[-MM[-dd]]['T'[HH[:mm[:ss[.f][,f]]][V][X]]]"},
    {"date_optional_time", "i[-M[-d]]['T'[H[:m[:s][.f][,f][V][X]]]]"},
    {"strict_date_optional_time_nanos", "uuuu[-MM[-dd]]['T'HH:mm:ss[.f][,f][V][X]]"},
    // OpenSearch lets months and days carry over here, and only here.
    {"strict_date", "uuuu-MM-dd", DateResolver::kLenient},
    {"date", "i[-M[-d]]"},
    {"basic_date", "jMMd"},
    {"strict_date_time", "uuuu[-MM[-dd]]'T'HH:mm:ss[.f]V"},
    {"strict_date_time", "uuuu[-MM[-dd]]'T'HH:mm:ss[.f]X"},
    {"date_time", "i[-M[-d]]'T'H:m[:s.f]XXX"},
    {"date_time", "i[-M[-d]]'T'H:m[:s.f]X"},
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Rather a name that is not in the table than a pattern.
bool looks_like_a_name(std::string_view part) {
  return part.find('_') != std::string_view::npos || part == "iso8601" ||
         part.find("Time") != std::string_view::npos;
}

// "-" if any, up to 19 digits, and behind a point up to `most` digits.
struct EpochText {
  bool negative = false;
  int64_t whole = 0;     // without the sign
  int64_t fraction = 0;  // in units of 10^-most
};
std::optional<EpochText> parse_epoch(std::string_view text, size_t most) {
  EpochText result;
  size_t i = 0;
  if (!text.empty() && text[0] == '-') {
    result.negative = true;
    ++i;
  }
  size_t digits = 0;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i, ++digits) {
    if (digits == 19) return {};
    const int64_t digit = text[i] - '0';
    if (result.whole > (kMost - digit) / 10) return {};
    result.whole = result.whole * 10 + digit;
  }
  if (digits == 0) return {};
  if (i == text.size()) return result;
  if (text[i++] != '.') return {};
  for (digits = 0; digits < most; ++digits) {
    const bool more = i < text.size();
    if (more && (text[i] < '0' || text[i] > '9')) return {};
    result.fraction = result.fraction * 10 + (more ? text[i++] - '0' : 0);
  }
  if (i != text.size()) return {};
  return result;
}

// Largest and smallest number of seconds that "epoch_second" takes.
constexpr int64_t kLastSecond = 31'556'889'832'780'799;
constexpr int64_t kFirstSecond = -31'557'014'135'596'800;

// A fraction is added to the seconds, also to negative ones.
std::optional<DateInstant> parse_epoch_second(std::string_view text) {
  const std::optional<EpochText> epoch = parse_epoch(text, 9);
  if (!epoch || (epoch->negative && epoch->whole == 0)) return {};
  const int64_t seconds = epoch->negative ? -epoch->whole : epoch->whole;
  if (seconds < kFirstSecond || seconds > kLastSecond) return {};
  return DateInstant{seconds, static_cast<int32_t>(epoch->fraction)};
}

// value * factor + added, or the limit on its side; the lowest number of all stands for nothing.
int64_t clamped(int64_t value, int64_t factor, int64_t added) {
  int64_t result = 0;
  if (__builtin_mul_overflow(value, factor, &result) ||
      __builtin_add_overflow(result, added, &result)) {
    return value < 0 ? -kMost : kMost;
  }
  return result < -kMost ? -kMost : result;
}

std::optional<int64_t> nanos_of(int64_t units, int64_t nanos_per_unit, int64_t nanos) {
  int64_t result = 0;
  if (units < 0 || __builtin_mul_overflow(units, nanos_per_unit, &result) ||
      __builtin_add_overflow(result, nanos, &result)) {
    return {};
  }
  return result;
}

std::optional<int64_t> in_unit(const EpochText& millis, DateResolution resolution) {
  if (resolution == DateResolution::kNanoseconds) {
    if (millis.negative && (millis.whole != 0 || millis.fraction != 0)) return {};
    return nanos_of(millis.whole, 1'000'000, millis.fraction);
  }
  if (!millis.negative) return millis.whole;
  return clamped(-millis.whole, 1, millis.fraction != 0 ? -1 : 0);
}

std::optional<int64_t> in_unit(const DateInstant& instant, DateResolution resolution) {
  if (resolution == DateResolution::kNanoseconds) {
    return nanos_of(instant.seconds, 1'000'000'000, instant.nanos);
  }
  return clamped(instant.seconds, 1000, instant.nanos / 1'000'000);
}

}  // namespace

void DateFormat::add_part(std::string_view name) {
  if (name == "epoch_millis" || name == "epoch_second") {
    parts_.push_back(
        {.kind = name == "epoch_millis" ? Kind::kEpochMillis : Kind::kEpochSecond, .steps = {}});
    return;
  }
  bool named = false;
  for (const NamedFormat& format : kNamed) {
    if (format.name != name) continue;
    named = true;
    parts_.push_back({.resolver = format.resolver,
                      .steps = compile_date_pattern(format.pattern, DateLetters::kOpenSearch)});
  }
  if (named) return;
  const std::string what = "date format \"" + std::string(name) + "\" ";
  try {
    parts_.push_back({.steps = compile_date_pattern(name, DateLetters::kJava)});
  } catch (const NotSupported& e) {
    throw NotSupported(what + (looks_like_a_name(name) ? "is not supported" : e.what()));
  } catch (const InvalidArgument& e) {
    if (looks_like_a_name(name)) throw NotSupported(what + "is not supported");
    throw InvalidArgument(what + e.what());
  }
}

DateFormat DateFormat::compile(std::string_view format) {
  DateFormat result;
  result.text_ = format;
  // An 8 before everything said "java.time" when there was another library.
  if (format.starts_with('8')) format.remove_prefix(1);
  for (std::string_view rest = format;;) {
    const size_t bars = rest.find("||");
    const std::string_view part = trimmed(rest.substr(0, bars));
    if (part.empty()) {
      throw InvalidArgument("date format \"" + result.text_ + "\" has an empty part");
    }
    result.add_part(part);
    if (bars == std::string_view::npos) return result;
    rest.remove_prefix(bars + 2);
  }
}

DateOutcome DateFormat::read(std::string_view text, DateResolution resolution,
                             int64_t& value) const {
  const auto result = [&value](const std::optional<int64_t>& found) {
    if (!found) return DateOutcome::kRefused;
    value = *found;
    return DateOutcome::kYes;
  };
  for (const Part& part : parts_) {
    switch (part.kind) {
      case Kind::kEpochMillis:
        if (const auto millis = parse_epoch(text, 6)) return result(in_unit(*millis, resolution));
        break;
      case Kind::kEpochSecond:
        if (const auto instant = parse_epoch_second(text)) {
          return result(in_unit(*instant, resolution));
        }
        break;
      case Kind::kSteps: {
        DateParts found;
        if (!match_date(part.steps, text, found)) break;
        DateInstant instant;
        const DateOutcome outcome = resolve_date(found, part.resolver, instant);
        if (outcome == DateOutcome::kYes) return result(in_unit(instant, resolution));
        if (outcome == DateOutcome::kRefused) return outcome;
        break;
      }
    }
  }
  return DateOutcome::kNo;
}

std::optional<int64_t> DateFormat::parse(std::string_view text, DateResolution resolution) const {
  int64_t value = 0;
  if (read(text, resolution, value) != DateOutcome::kYes) return {};
  return value;
}

}  // namespace postern::opensearch
