// Where an index lives: a flat folder of files that are written once, forward only (docs/formats/10
// §7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace postern {

// A new file. Bytes are durable only after Directory::sync. Errors: IoError with the path.
class OutputFile {
 public:
  virtual ~OutputFile() = default;  // closes without reporting errors
  virtual void append(std::span<const uint8_t> bytes) = 0;
  virtual void close() = 0;
};

// A finished file, whole, readable at random for as long as the object lives.
class InputFile {
 public:
  virtual ~InputFile() = default;
  virtual std::span<const uint8_t> bytes() const = 0;
  // A hint: these bytes are not needed soon, so that memory that holds them may be given back. They
  // stay readable.
  virtual void done_with(size_t /*offset*/, size_t /*length*/) const {}
};

// Held while the object lives. valid() is false once somebody tampered with the lock file.
class DirectoryLock {
 public:
  virtual ~DirectoryLock() = default;
  virtual bool valid() const = 0;
};

class Directory {
 public:
  virtual ~Directory() = default;
  // For messages: the path, or a name.
  virtual std::string describe() const = 0;
  // Names of all files, sorted.
  virtual std::vector<std::string> list() const = 0;
  // Fails if the file exists.
  virtual std::unique_ptr<OutputFile> create(const std::string& name) = 0;
  virtual std::unique_ptr<InputFile> open(const std::string& name) const = 0;
  virtual uint64_t file_length(const std::string& name) const = 0;
  virtual void remove(const std::string& name) = 0;
  // Atomic; replaces `to`.
  virtual void rename(const std::string& from, const std::string& to) = 0;
  // Makes the files' bytes durable, and with sync_metadata their names.
  virtual void sync(std::span<const std::string> names) = 0;
  virtual void sync_metadata() = 0;
  // Throws LockHeld, at once, if any other writer has it.
  virtual std::unique_ptr<DirectoryLock> lock(const std::string& name) = 0;
};

// A folder of the file system; created, parents included, when it does not exist.
std::unique_ptr<Directory> open_directory(const std::filesystem::path& path);
// In memory, for tests and for indexes that are shipped elsewhere.
std::unique_ptr<Directory> memory_directory();

}  // namespace postern
