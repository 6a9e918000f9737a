// Opening an index that must be there.
#pragma once

#include <memory>
#include <string>

#include "postern/directory.h"

namespace postern::tool {

// Throws InvalidArgument if there is no such folder, which open_directory would make.
std::unique_ptr<Directory> open_existing(const std::string& path);

}  // namespace postern::tool
