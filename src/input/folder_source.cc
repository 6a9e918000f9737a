#include "input/folder_source.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include "input/schema_inference.h"
#include "input/text_values.h"

namespace postern::input {

namespace {

const std::vector<std::string>& columns() {
  static const std::vector<std::string> kColumns = {"path", "title", "body", "modified", "size"};
  return kColumns;
}

// The file's name without .gz and without its last extension.
std::string_view title_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".gz")) name.remove_suffix(3);
  if (const size_t dot = name.rfind('.'); dot != name.npos && dot != 0) name = name.substr(0, dot);
  return name;
}

std::string_view copied(std::string_view text, Scratch& scratch) {
  char* bytes = scratch.allocate(text.size());
  if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
  return {bytes, text.size()};
}

void check_utf8(std::string_view text, const char* field, const char* what) {
  if (simdjson::validate_utf8(text.data(), text.size())) return;
  throw BadValue(fmt::format("{} is not valid UTF-8 at byte {}", what, find_invalid_utf8(text) + 1),
                 field);
}

}  // namespace

std::vector<FolderFile> list_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<FolderFile> files;
  try {
    for (auto it = fs::recursive_directory_iterator(folder); it != fs::end(it); ++it) {
      if (it->path().filename().native().starts_with('.')) {
        it.disable_recursion_pending();
        continue;
      }
      struct stat status {};
      // Gone or dangling: not a file.
      if (::stat(it->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
      files.push_back({it->path().native(), static_cast<uint64_t>(status.st_size),
                       int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1000000});
    }
  } catch (const fs::filesystem_error& e) {
    throw IoError(fmt::format("cannot list folder {}: {}", e.path1().native(), e.code().message()),
                  e.code().value());
  }
  std::sort(files.begin(), files.end(),
            [](const FolderFile& a, const FolderFile& b) { return a.path < b.path; });
  return files;
}

std::pair<size_t, size_t> FolderSource::Files::take() {
  std::lock_guard lock(mutex_);
  const size_t first = next_;
  for (uint64_t size = 0; next_ < list_.size() && size < piece_; ++next_) {
    // The file's own cost counts, so that many empty ones are shared out, too.
    size += list_[next_].size + 1024;
    bytes_ += list_[next_].size;
  }
  return {first, next_};
}

void FolderSource::Files::stop() {
  std::lock_guard lock(mutex_);
  next_ = list_.size();
}

uint64_t FolderSource::Files::bytes_taken() const {
  std::lock_guard lock(mutex_);
  return bytes_;
}

FolderSource::FolderSource(const std::string& folder, std::shared_ptr<Files> files,
                           const SourceOptions& options, std::function<void()> between)
    : name_(folder),
      files_(std::move(files)),
      between_(std::move(between)),
      first_document_(options.first_document),
      longest_(options.longest_line) {
  next_document_ = options.first_document;
  place_.file = folder;
}

std::string FolderSource::infer_schema() { return folder_schema(); }

void FolderSource::use_schema(Schema& schema) { mapper_.emplace(schema, columns(), name_); }

std::string_view FolderSource::read_body(const FolderFile& file) {
  const std::unique_ptr<ByteSource> source = open_byte_source(file.path);
  constexpr size_t kPiece = size_t{64} << 10;
  size_t have = 0;
  while (true) {
    const size_t wanted = std::max<size_t>(kPiece, std::min<size_t>(file.size, longest_) + 1);
    if (body_.size() < have + wanted + LineReader::kPadding) {
      body_.resize(have + wanted + LineReader::kPadding);
    }
    const size_t n = source->read({reinterpret_cast<char*>(body_.data()) + have, wanted});
    have += n;
    if (n == 0) break;
    if (have > longest_) {
      throw BadValue(fmt::format("the file is larger than {} bytes", longest_), "body");
    }
  }
  std::memset(body_.data() + have, 0, LineReader::kPadding);
  text_bytes_ += have;
  std::string_view text(reinterpret_cast<const char*>(body_.data()), have);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

void FolderSource::read(const FolderFile& file) {
  check_utf8(file.path, "path", "the file's name");
  const std::string_view body = read_body(file);
  check_utf8(body, "body", "the text");
  scratch_.clear();
  const std::array<std::string_view, 5> values = {
      copied(file.path, scratch_), copied(title_of(file.path), scratch_), body,
      copied(std::to_string(file.modified), scratch_), copied(std::to_string(file.size), scratch_)};
  document_.clear();
  mapper_->fill(document_, values, place_.document);
}

Event FolderSource::next() {
  documents_ = {};
  if (piece_.first == piece_.second) {
    if (between_) between_();
    piece_ = files_->take();
  }
  if (piece_.first == piece_.second) return Event::kEnd;
  const size_t number = piece_.first++;
  const FolderFile& file = (*files_)[number];
  place_.file = file.path;
  place_.document = first_document_ + number;
  ++next_document_;
  bytes_taken_ += file.size;
  try {
    read(file);
  } catch (const BadValue& e) {
    throw RefusedInput(place_, e.field(), e.what());
  } catch (const IoError& e) {
    throw RefusedInput(place_, "body", e.what());
  }
  documents_ = {&document_, 1};
  return Event::kDocuments;
}

}  // namespace postern::input
