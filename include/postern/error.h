// What postern throws. Every message names the file, field, document or option, the value and the
// limit.
#pragma once

#include <stdexcept>
#include <string>

namespace postern {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The caller passed something no document or index is to blame for (an option, a schema, a path).
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

// One document cannot be indexed. The writer stays usable; the document is not visible.
class InvalidDocument : public Error {
 public:
  using Error::Error;
};

// A document disagrees with what the index already knows of a field. The writer stays usable.
class SchemaConflict : public InvalidDocument {
 public:
  using InvalidDocument::InvalidDocument;
};

// A limit of the format (documents, positions, pool addresses) would be passed. Nothing was
// changed.
class LimitExceeded : public Error {
 public:
  using Error::Error;
};

// Bytes on disk are not what the format allows. The message names the file and what is wrong with
// it.
class CorruptIndex : public Error {
 public:
  using Error::Error;
};

// The operating system refused an operation. The message names the path, the operation and the
// reason.
class IoError : public Error {
 public:
  IoError(const std::string& message, int error_number)
      : Error(message), error_number_(error_number) {}
  // errno of the failed call, 0 if there is none.
  int error_number() const noexcept { return error_number_; }

 private:
  int error_number_;
};

// Another writer, in this process or another one, holds the index.
class LockHeld : public Error {
 public:
  using Error::Error;
};

// Valid, but not something this version of postern does. The message says what.
class NotSupported : public Error {
 public:
  using Error::Error;
};

}  // namespace postern
