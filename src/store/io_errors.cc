#include "store/io_errors.h"

#include <system_error>

#include "postern/error.h"

namespace postern::store {

void throw_io_error(const std::string& path, const std::string& operation, int error_number) {
  // generic_category().message is strerror without its shared buffer.
  throw IoError(
      path + ": cannot " + operation + ": " + std::generic_category().message(error_number),
      error_number);
}

void check_file_name(const std::string& directory, const std::string& name) {
  if (!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
      name.find('\0') == std::string::npos)
    return;
  throw InvalidArgument(directory + ": '" + name + "' is not the name of a file in a directory");
}

}  // namespace postern::store
