#include "input/source.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "input/folder_source.h"
#include "input/json_lines_source.h"
#include "input/line_documents_source.h"

namespace postern::input {

const char* input_kind_name(InputKind kind) {
  switch (kind) {
    case InputKind::kJsonLines:
      return "JSON Lines";
    case InputKind::kLineDocuments:
      return "line documents";
    case InputKind::kFolder:
      return "a folder of text files";
  }
  return "";
}

InputInfo inspect_input(const std::string& path) {
  InputInfo info{.path = path};
  struct stat status {};
  if (path == "-") {
    if (::fstat(0, &status) == 0 && S_ISREG(status.st_mode)) {
      info.bytes = static_cast<uint64_t>(status.st_size);
    }
    return info;
  }
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      throw InvalidArgument(fmt::format("there is no input {}", path));
    }
    throw IoError(fmt::format("cannot find input {}: {}", path, std::strerror(errno)), errno);
  }
  if (S_ISDIR(status.st_mode)) {
    info.kind = InputKind::kFolder;
    for (const FolderFile& file : list_folder(path)) info.bytes += file.size;
    return info;
  }
  if (S_ISREG(status.st_mode)) info.bytes = static_cast<uint64_t>(status.st_size);
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  const std::string extension = name.extension();
  if (extension == ".txt" || extension == ".tsv") {
    info.kind = InputKind::kLineDocuments;
  } else if (S_ISREG(status.st_mode) && extension != ".jsonl" && extension != ".ndjson" &&
             extension != ".json") {
    throw InvalidArgument(fmt::format(
        "{}: what it holds cannot be told from its name; known are .jsonl, .ndjson and .json (JSON "
        "Lines), .txt and .tsv (line documents), each also with .gz, folders, and - (JSON Lines "
        "from "
        "standard input)",
        path));
  }
  return info;
}

std::unique_ptr<Source> open_source(const InputInfo& info, std::unique_ptr<ByteSource> bytes,
                                    const SourceOptions& options) {
  const std::string name = info.path == "-" ? "standard input" : info.path;
  if (info.kind == InputKind::kLineDocuments) {
    return std::make_unique<LineDocumentsSource>(name, std::move(bytes), options);
  }
  return std::make_unique<JsonLinesSource>(name, std::move(bytes), options);
}

std::unique_ptr<Source> open_source(const InputInfo& input, const SourceOptions& options) {
  if (input.kind == InputKind::kFolder) return std::make_unique<FolderSource>(input.path, options);
  return open_source(input, open_byte_source(input.path, options.stop_descriptor), options);
}

}  // namespace postern::input
