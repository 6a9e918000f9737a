#include "opensearch/date_pattern.h"

#include <limits>
#include <string>

#include "postern/error.h"

namespace postern::opensearch {
namespace {

constexpr uint8_t kMostDigits = 19;  // as java.time has it
constexpr uint8_t kMostNamedYearDigits = 10;

class PatternCompiler {
 public:
  PatternCompiler(std::string_view pattern, DateLetters letters)
      : pattern_(pattern), own_letters_(letters == DateLetters::kOpenSearch) {}

  std::vector<DateStep> compile() {
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
        size_t count = 1;
        while (at_ + count < pattern_.size() && pattern_[at_ + count] == c) ++count;
        at_ += count;
        letter(c, count);
      } else if (c == '\'') {
        quoted();
      } else if (c == '[') {
        ++at_;
        open_.push_back(steps_.size());
        append({.kind = DateStepKind::kOptional});
      } else if (c == ']') {
        ++at_;
        if (open_.empty()) throw InvalidArgument("has a ] without a [ before it");
        close();
      } else if (c == '{' || c == '}' || c == '#') {
        throw InvalidArgument(std::string("has the reserved character ") + c);
      } else {
        ++at_;
        literal(c);
      }
    }
    while (!open_.empty()) close();
    return std::move(steps_);
  }

 private:
  void append(const DateStep& step) {
    if (steps_.size() >= std::numeric_limits<uint16_t>::max()) throw InvalidArgument("is too long");
    steps_.push_back(step);
    active_ = kNone;
  }

  void literal(char c) { append({.kind = DateStepKind::kLiteral, .literal = c}); }

  void quoted() {
    const size_t begin = ++at_;
    bool empty = true;
    for (; at_ < pattern_.size(); ++at_) {
      if (pattern_[at_] == '\'') {
        if (at_ + 1 == pattern_.size() || pattern_[at_ + 1] != '\'') {
          ++at_;
          if (empty) literal('\'');
          return;
        }
        ++at_;
      }
      empty = false;
      literal(pattern_[at_]);
    }
    throw InvalidArgument("has a quote at " + std::to_string(begin) + " that does not end");
  }

  void close() {
    const size_t begin = open_.back();
    open_.pop_back();
    steps_[begin].length = static_cast<uint16_t>(steps_.size() - begin - 1);
    active_ = kNone;
  }

  // A number whose width is fixed takes its digits from the number of variable width before it.
  void number(const DateStep& step) {
    const size_t before = active_;
    append(step);
    const bool fixed = step.min == step.max && step.sign == DateSign::kNone;
    if (before != kNone && fixed) {
      steps_[before].reserved = static_cast<uint8_t>(steps_[before].reserved + step.max);
      active_ = before;
    } else {
      active_ = steps_.size() - 1;
    }
  }

  void year(DateField field, size_t count) {
    if (count == 2) throw NotSupported("has a year of two digits (yy, uu)");
    if (count > kMostDigits) throw InvalidArgument("has a year of more than 19 digits");
    number({.kind = DateStepKind::kNumber,
            .field = field,
            .min = static_cast<uint8_t>(count),
            .max = own_letters_ ? kMostNamedYearDigits : kMostDigits,
            .sign = count < 4 ? DateSign::kMinus : DateSign::kExceedsPad});
  }

  void two_digits(char c, DateField field, size_t count) {
    if (count > 2) {
      if (c == 'M') throw NotSupported("has months by name (MMM)");
      throw InvalidArgument(std::string("has too many letters ") + c);
    }
    DateStep step{.kind = DateStepKind::kNumber, .field = field, .min = 2, .max = 2};
    if (count == 1) {
      step.min = 1;
      step.max = own_letters_ ? 2 : kMostDigits;
      step.sign = own_letters_ ? DateSign::kNone : DateSign::kMinus;
    }
    number(step);
  }

  void fraction(size_t count) {
    if (count > 9) throw InvalidArgument("has a fraction of more than nine digits");
    const auto digits = static_cast<uint8_t>(count);
    number({.kind = DateStepKind::kFraction, .min = digits, .max = digits});
  }

  void offset(char c, size_t count) {
    if (count > 5) throw InvalidArgument(std::string("has too many letters ") + c);
    if (c == 'Z' && count == 4) throw NotSupported("has zones of the form GMT+1 (ZZZZ)");
    DateStep step{.kind = DateStepKind::kOffset};
    if (c == 'Z' && count < 4) {
      step.needs_minutes = true;
    } else {
      step.takes_z = c != 'x';
      step.colon = count == 3 || count == 5;
      step.needs_minutes = count > 1;
      step.takes_seconds = count > 3;
    }
    append(step);
  }

  bool own_letter(char c) {
    switch (c) {
      case 'i':
        number({.kind = DateStepKind::kNumber, .min = 1, .max = 5, .sign = DateSign::kMinus});
        return true;
      case 'j':
        number({.kind = DateStepKind::kNumber, .min = 4, .max = 4, .sign = DateSign::kMinus});
        return true;
      case 'f':
        append({.kind = DateStepKind::kFraction, .min = 1, .max = 9});
        return true;
      case 'V':
        append({.kind = DateStepKind::kZone});
        return true;
      default:
        return false;
    }
  }

  void letter(char c, size_t count) {
    if (own_letters_ && own_letter(c)) return;
    switch (c) {
      case 'y':
        return year(DateField::kYearOfEra, count);
      case 'u':
        return year(DateField::kYear, count);
      case 'M':
        return two_digits(c, DateField::kMonth, count);
      case 'd':
        return two_digits(c, DateField::kDay, count);
      case 'H':
        return two_digits(c, DateField::kHour, count);
      case 'm':
        return two_digits(c, DateField::kMinute, count);
      case 's':
        return two_digits(c, DateField::kSecond, count);
      case 'S':
        return fraction(count);
      case 'X':
      case 'x':
      case 'Z':
        return offset(c, count);
      default:
        break;
    }
    const std::string text = std::string("has the letter ") + c;
    if (std::string_view("AaBcDEeFGghKkLNnOpQqVvWwYz").find(c) != std::string_view::npos) {
      throw NotSupported(text + ", which postern does not know");
    }
    throw InvalidArgument(text + ", which means nothing");
  }

  static constexpr size_t kNone = std::numeric_limits<size_t>::max();
  std::string_view pattern_;
  bool own_letters_;
  size_t at_ = 0;
  std::vector<DateStep> steps_;
  std::vector<size_t> open_;
  size_t active_ = kNone;  // the number that gives digits to those behind it
};

}  // namespace

std::vector<DateStep> compile_date_pattern(std::string_view pattern, DateLetters letters) {
  return PatternCompiler(pattern, letters).compile();
}

}  // namespace postern::opensearch
