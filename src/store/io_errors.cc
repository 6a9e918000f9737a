#include "store/io_errors.h"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>

#include "postern/error.h"

namespace postern::store {

namespace {

// What the user can do about a limit that was reached.
std::string advice(int error_number) {
  if (error_number == ENFILE) return " (of all processes: the system's fs.file-max)";
  struct rlimit limit;
  if (error_number != EMFILE || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  return " (this process may have " + std::to_string(limit.rlim_cur) +
         "; ulimit -n raises the limit)";
}

}  // namespace

void throw_io_error(const std::string& path, const std::string& operation, int error_number) {
  // Not std::generic_category: UBSan checks its virtual call through a pipe, for which there may be
  // no descriptor left.
  throw IoError(
      path + ": cannot " + operation + ": " + std::strerror(error_number) + advice(error_number),
      error_number);
}

void throw_write_error(const std::string& path, const std::string& folder, uint64_t bytes,
                       uint64_t offset, int error_number) {
  std::string what = "write " + std::to_string(bytes) + " bytes at byte " + std::to_string(offset);
  struct statvfs disk;
  if ((error_number == ENOSPC || error_number == EDQUOT) && ::statvfs(folder.c_str(), &disk) == 0)
    what += " (" + std::to_string(uint64_t{disk.f_bavail} * disk.f_frsize) + " bytes free)";
  throw_io_error(path, what, error_number);
}

void check_file_name(const std::string& directory, const std::string& name) {
  if (!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
      name.find('\0') == std::string::npos)
    return;
  throw InvalidArgument(directory + ": '" + name + "' is not the name of a file in a directory");
}

}  // namespace postern::store
