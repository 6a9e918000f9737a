// A folder of text files: a document per file, with the columns path, title, body, modified and
// size.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_buffer.h"
#include "input/column_mapper.h"
#include "input/source.h"

namespace postern::input {

struct FolderFile {
  std::string path;      // the folder as given, '/', and the path inside it
  uint64_t size = 0;     // bytes on disk
  int64_t modified = 0;  // milliseconds since 1970
};

// All regular files below `folder`, in the order of their paths' bytes. Hidden files and folders
// (names that begin with a dot) are left out, links to folders are not followed. Throws IoError.
std::vector<FolderFile> list_folder(const std::string& folder);

// Gzip files are unpacked. A file that cannot be read, or is not UTF-8, is refused alone.
class FolderSource : public Source {
 public:
  FolderSource(const std::string& folder, const SourceOptions& options);

  std::string infer_schema() override;
  void use_schema(Schema& schema) override;
  Event next() override;
  uint64_t bytes_taken() const override { return bytes_taken_; }
  uint64_t text_bytes() const override { return text_bytes_; }

 private:
  std::string_view read_body(const FolderFile& file);
  void read(const FolderFile& file);

  std::string name_;
  std::vector<FolderFile> files_;
  size_t next_file_ = 0;
  size_t longest_;
  uint64_t bytes_taken_ = 0;
  uint64_t text_bytes_ = 0;
  std::optional<ColumnMapper> mapper_;
  ByteBuffer body_;
  Scratch scratch_;
  Document document_;
};

}  // namespace postern::input
