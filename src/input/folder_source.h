// A folder of text files: a document per file, with the columns path, title, body, modified and
// size.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
  // The files of a folder, for one or several readers that each take the next ones.
  class Files {
   public:
    // Readers take about `piece` bytes at a time.
    Files(const std::string& folder, uint64_t piece) : list_(list_folder(folder)), piece_(piece) {}
    // Indexes [first, last) of the files that are the caller's; none at the end. Thread-safe, as
    // are the others.
    std::pair<size_t, size_t> take();
    void stop();
    const FolderFile& operator[](size_t index) const { return list_[index]; }
    uint64_t bytes_taken() const;

   private:
    const std::vector<FolderFile> list_;
    const uint64_t piece_;
    mutable std::mutex mutex_;  // guards what follows
    size_t next_ = 0;
    uint64_t bytes_ = 0;
  };

  FolderSource(const std::string& folder, const SourceOptions& options)
      : FolderSource(folder, std::make_shared<Files>(folder, options.block), options, {}) {}
  // `between`: see SharedInput.
  FolderSource(const std::string& folder, std::shared_ptr<Files> files,
               const SourceOptions& options, std::function<void()> between);

  std::string infer_schema() override;
  void use_schema(Schema& schema) override;
  Event next() override;
  uint64_t bytes_taken() const override { return bytes_taken_; }
  uint64_t text_bytes() const override { return text_bytes_; }

 private:
  std::string_view read_body(const FolderFile& file);
  void read(const FolderFile& file);

  std::string name_;
  std::shared_ptr<Files> files_;
  std::pair<size_t, size_t> piece_{0, 0};  // those taken and not read yet
  std::function<void()> between_;
  uint64_t first_document_;
  size_t longest_;
  uint64_t bytes_taken_ = 0;
  uint64_t text_bytes_ = 0;
  std::optional<ColumnMapper> mapper_;
  ByteBuffer body_;
  Scratch scratch_;
  Document document_;
};

}  // namespace postern::input
