// OpenSearch's date formats, as a mapping names them: "strict_date_optional_time||epoch_millis",
// "yyyy-MM-dd HH:mm:ss".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postern::opensearch {

// The unit of a field's numbers: `date` or `date_nanos`.
enum class DateResolution : uint8_t { kMilliseconds, kNanoseconds };

// Immutable once made; threads may share it.
class DateFormat {
 public:
  // What a date field has that names no format.
  static constexpr std::string_view kDefault = "strict_date_optional_time||epoch_millis";

  // Parts separated by "||", the first that matches counts. Throws NotSupported for a part that is
  // not one of the formats in docs/opensearch.md, InvalidArgument for a pattern that is malformed;
  // the message names the part.
  static DateFormat compile(std::string_view format);

  // Milliseconds or nanoseconds since 1970-01-01T00:00:00Z; a text without a zone is UTC. What is
  // finer than the unit is rounded down. Empty: no part matches, or the time is outside what the
  // unit allows. A JSON number is passed as it is spelled. Allocates nothing.
  std::optional<int64_t> parse(std::string_view text, DateResolution resolution) const;

  // As compile() was given it.
  const std::string& text() const { return text_; }

 private:
  // One step of a pattern: a number, fraction, zone, literal, or the begin or end of what may be
  // left out.
  struct Step {
    uint8_t kind;
    uint8_t min_digits;
    uint8_t max_digits;
    char literal;
  };
  struct Part {
    std::vector<Step> steps;
    bool epoch_millis = false;
    bool epoch_seconds = false;
  };

  std::string text_;
  std::vector<Part> parts_;
};

}  // namespace postern::opensearch
