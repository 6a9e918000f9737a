// How failed system calls become IoError.
#pragma once

#include <cstdint>
#include <string>

namespace postern::store {

// "PATH: cannot OPERATION: REASON", and what can be done about it where that is a limit.
// `error_number` is errno of the failed call.
[[noreturn]] void throw_io_error(const std::string& path, const std::string& operation,
                                 int error_number);

// A failed write of `bytes` at byte `offset` of a file in `folder`. When the disk or the quota is
// full the message also says how much is free.
[[noreturn]] void throw_write_error(const std::string& path, const std::string& folder,
                                    uint64_t bytes, uint64_t offset, int error_number);

// Throws InvalidArgument unless `name` can be the name of a file in a flat directory: not empty, no
// '/', no NUL byte, neither "." nor "..".
void check_file_name(const std::string& directory, const std::string& name);

}  // namespace postern::store
