#include "open_index.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "postern/error.h"

namespace postern::tool {

std::unique_ptr<Directory> open_existing(const std::string& path) {
  std::error_code refused;
  const bool there = std::filesystem::is_directory(path, refused);
  if (!there && refused && refused != std::errc::no_such_file_or_directory &&
      refused != std::errc::not_a_directory)
    throw IoError(fmt::format("{}: cannot open the folder: {}", path, refused.message()),
                  refused.value());
  if (!there) throw InvalidArgument(fmt::format("there is no index {}", path));
  return open_directory(path);
}

}  // namespace postern::tool
