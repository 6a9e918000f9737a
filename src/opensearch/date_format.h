// OpenSearch's date formats, as a mapping names them: "strict_date_optional_time||epoch_millis",
// "yyyy-MM-dd HH:mm:ss".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opensearch/date_pattern.h"

namespace postern::opensearch {

// The unit of a field's numbers: `date` or `date_nanos`.
enum class DateResolution : uint8_t { kMilliseconds, kNanoseconds };

// Immutable once made; threads may share it.
class DateFormat {
 public:
  // What a date field has that names no format.
  static constexpr std::string_view kDefault = "strict_date_optional_time||epoch_millis";

  // Parts separated by "||", the first that matches counts. Throws NotSupported for a part that is
  // not one of the formats in docs/opensearch_mappings.md, InvalidArgument for a pattern that is
  // malformed; the message names the part.
  static DateFormat compile(std::string_view format);

  // Milliseconds or nanoseconds since 1970-01-01T00:00:00Z; a text without a zone is UTC. What is
  // finer than the unit is rounded down. Milliseconds that do not fit are the largest that do, as
  // in OpenSearch; nanoseconds must be from 1970-01-01 to 2262-04-11T23:47:16.854775807Z.
  // Empty: no part matches, or the time is outside what the unit allows. A JSON number is passed as
  // it is spelled. Zones by name, other than UTC, GMT and UT, match nothing. Allocates nothing.
  std::optional<int64_t> parse(std::string_view text, DateResolution resolution) const;

  // As parse(), for telling whether a text looks like a date: kRefused means that it does, and that
  // OpenSearch, having made the field a date, refuses it. `value` is set for kYes only.
  DateOutcome read(std::string_view text, DateResolution resolution, int64_t& value) const;

  // As compile() was given it.
  const std::string& text() const { return text_; }

 private:
  enum class Kind : uint8_t { kSteps, kEpochMillis, kEpochSecond };
  struct Part {
    Kind kind = Kind::kSteps;
    DateResolver resolver = DateResolver::kStrict;
    std::vector<DateStep> steps;
  };
  void add_part(std::string_view name);

  std::string text_;
  std::vector<Part> parts_;
};

}  // namespace postern::opensearch
