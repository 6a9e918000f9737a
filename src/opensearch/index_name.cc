#include "opensearch/index_name.h"

#include <fmt/format.h>

#include "input/errors.h"
#include "postern/error.h"

namespace postern::opensearch {

void check_opensearch_version(std::string_view version) {
  const std::string_view patch =
      version.starts_with("3.6.") ? version.substr(4) : std::string_view();
  if (!patch.empty() && patch.size() <= 2 && patch.find_first_not_of("0123456789") == patch.npos) {
    return;
  }
  throw NotSupported(fmt::format(
      "OpenSearch {}: indexes are built for 3.6 (Lucene 10.4), which later versions restore too; "
      "older ones cannot read them",
      input::quoted(version)));
}

void check_index_name(std::string_view name) {
  const auto refuse = [&](std::string_view why) {
    throw InvalidArgument(
        fmt::format("{} cannot be the name of an index: {}", input::quoted(name), why));
  };
  if (name.empty()) refuse("it is empty");
  if (name == "." || name == "..") refuse("it is the name of a folder");
  if (name.size() > 255) refuse("it has more than 255 bytes");
  if (std::string_view("-_+").find(name.front()) != std::string_view::npos) {
    refuse("it begins with -, _ or +");
  }
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') refuse("it is not in lower case");
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F ||
        std::string_view("\\/*?\"<>| ,#:").find(c) != std::string_view::npos) {
      refuse("it holds a space, a control character or one of \\ / * ? \" < > | , # :");
    }
  }
}

int64_t version_id(std::string_view version) {
  int64_t id = 0;
  int64_t part = 0;
  for (char c : version) {
    if (c == '.') {
      id = (id + part) * 100;
      part = 0;
    } else {
      part = part * 10 + (c - '0');
    }
  }
  return ((id + part) * 100 + 99) ^ (int64_t{1} << 27);
}

}  // namespace postern::opensearch
