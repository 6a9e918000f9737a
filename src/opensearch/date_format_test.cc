#include "opensearch/date_format.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ctime>
#include <string>

#include "postern/error.h"

namespace postern::opensearch {
namespace {

// What values_test.cc does not ask: which formats there are, and calendars as a whole.

template <class Refusal>
void expect_refused(std::string_view format, std::string_view part) {
  try {
    DateFormat::compile(format);
    ADD_FAILURE() << format << " was taken";
  } catch (const Refusal& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(DateFormat, OneThatIsNotKnownIsRefusedByName) {
  expect_refused<NotSupported>("epoch_millis||basic_week_date", "\"basic_week_date\"");
  expect_refused<NotSupported>("iso8601", "\"iso8601\"");
  expect_refused<NotSupported>("strictDateOptionalTime", "\"strictDateOptionalTime\"");
  expect_refused<NotSupported>("yyyy-MM-dd||dd-MMM-yyyy", "\"dd-MMM-yyyy\"");
  expect_refused<NotSupported>("yy-MM-dd", "\"yy-MM-dd\"");
  expect_refused<NotSupported>("hh:mm a", "letter h");
  expect_refused<NotSupported>("yyyy-MM-dd VV", "letter V");
  expect_refused<NotSupported>("yyyy-MM-dd ZZZZ", "ZZZZ");
}

TEST(DateFormat, AMalformedPatternIsRefused) {
  expect_refused<InvalidArgument>("", "empty");
  expect_refused<InvalidArgument>("yyyy||", "empty");
  expect_refused<InvalidArgument>("||yyyy", "empty");
  expect_refused<InvalidArgument>("yyyy-MM-ddTHH", "letter T");
  expect_refused<InvalidArgument>("yyyy'T", "quote");
  expect_refused<InvalidArgument>("yyyy]", "]");
  expect_refused<InvalidArgument>("yyyy{}", "{");
  expect_refused<InvalidArgument>("yyyy#", "#");
  expect_refused<InvalidArgument>("yyyy-MM-ddd", "letters d");
  expect_refused<InvalidArgument>("SSSSSSSSSS", "nine");
}

TEST(DateFormat, KeepsItsText) {
  EXPECT_EQ(DateFormat::compile(DateFormat::kDefault).text(), DateFormat::kDefault);
}

// Against the C library's calendar.
RC_GTEST_PROP(DateFormat, EverySecondIsReadBack, ()) {
  const auto second = *rc::gen::inRange<int64_t>(-62135596800, 253402300800);  // years 1 to 9999
  const auto millis = *rc::gen::inRange(0, 1000);
  std::tm time{};
  const std::time_t as_time = second;
  gmtime_r(&as_time, &time);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", time.tm_year + 1900,
                time.tm_mon + 1, time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec, millis);
  const auto found =
      DateFormat::compile(DateFormat::kDefault).parse(text, DateResolution::kMilliseconds);
  RC_ASSERT(found == second * 1000 + millis);
}

TEST(DateFormat, ThousandYearsOfDaysFollowEachOther) {
  const DateFormat format = DateFormat::compile("uuuu-MM-dd");
  int64_t day = 0;
  for (int year = 1600; year < 2600; ++year) {
    for (int month = 1; month <= 12; ++month) {
      for (int d = 1; d <= 31; ++d) {
        char text[16];
        std::snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, d);
        const auto found = format.parse(text, DateResolution::kMilliseconds);
        if (!found) continue;
        ASSERT_TRUE(day == 0 || *found == day + 86'400'000) << text;
        day = *found;
      }
    }
  }
  EXPECT_EQ(day, 19880812800000);  // 2599-12-31
}

}  // namespace
}  // namespace postern::opensearch
