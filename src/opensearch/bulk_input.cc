#include "opensearch/bulk_input.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "postern/error.h"

namespace postern::opensearch {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";
constexpr size_t kLongestFirstLine = size_t{64} << 10;  // an action is shorter

// Bytes that were looked at, and the rest of the source they came from.
class Rewound : public input::ByteSource {
 public:
  Rewound(std::string seen, std::unique_ptr<input::ByteSource> rest)
      : seen_(std::move(seen)), rest_(std::move(rest)) {}

  size_t read(std::span<char> to) override {
    if (at_ == seen_.size()) return rest_->read(to);
    const size_t n = std::min(to.size(), seen_.size() - at_);
    std::memcpy(to.data(), seen_.data() + at_, n);
    at_ += n;
    return n;
  }
  uint64_t bytes_taken() const override { return rest_->bytes_taken(); }

 private:
  std::string seen_;
  size_t at_ = 0;
  std::unique_ptr<input::ByteSource> rest_;
};

// Of the first line that is not blank; the bytes it took to know are appended to `seen`.
InputFormat look_at(input::ByteSource& bytes, std::string& seen) {
  bool ended = false;
  while (true) {
    std::string_view text = seen;
    if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
    while (true) {
      const size_t feed = text.find('\n');
      if (feed == text.npos && !ended) break;
      const InputFormat format = format_of(text.substr(0, feed));
      if (format != InputFormat::kUnknown) return format;
      if (feed == text.npos) return InputFormat::kJsonLines;  // nothing but blank lines
      text.remove_prefix(feed + 1);
    }
    if (seen.size() >= kLongestFirstLine) return InputFormat::kJsonLines;
    const size_t before = seen.size();
    seen.resize(before + kLongestFirstLine);
    const size_t n = bytes.read({seen.data() + before, kLongestFirstLine});
    seen.resize(before + n);
    ended = n == 0;
  }
}

std::unique_ptr<input::ByteSource> open_bytes(const std::string& path, int stop_descriptor) {
  if (path != "-") {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) {
      throw InvalidArgument(fmt::format("there is no input {}", path));
    }
    if (std::filesystem::is_directory(status)) {
      throw InvalidArgument(fmt::format("input {} is a folder, not a file of documents", path));
    }
  }
  return input::open_byte_source(path, stop_descriptor);
}

}  // namespace

BulkInput::BulkInput(std::string path, BulkOptions options, int stop_descriptor)
    : path_(std::move(path)), options_(std::move(options)) {
  open_lines(open_bytes(path_, stop_descriptor), input::LineReader::kBlock);
}

BulkInput::BulkInput(std::string path, std::unique_ptr<input::ByteSource> bytes,
                     BulkOptions options, size_t block)
    : path_(std::move(path)), options_(std::move(options)) {
  open_lines(std::move(bytes), block);
}

void BulkInput::open_lines(std::unique_ptr<input::ByteSource> bytes, size_t block) {
  if (options_.format == InputFormat::kUnknown) {
    std::string seen;
    options_.format = look_at(*bytes, seen);
    options_.guessed = true;
    bytes = std::make_unique<Rewound>(std::move(seen), std::move(bytes));
  }
  const bool bulk = options_.format == InputFormat::kBulk;
  if (bulk && !(options_.id_field.empty() && options_.routing_field.empty())) {
    throw InvalidArgument(
        fmt::format("{} is _bulk NDJSON, whose actions have the ids and routings: --id-field and "
                    "--routing-field are for JSON Lines",
                    path_));
  }
  lines_ = std::make_shared<input::LineSplitter>(std::move(bytes), block,
                                                 bulk ? bulk_line_role : document_line_role);
}

BulkInput::Part::Part(std::string path, std::shared_ptr<input::LineSplitter> lines,
                      const BulkOptions& options, std::function<void()> between)
    : lines_(std::move(lines)) {
  std::unique_ptr<input::ByteSource> bytes =
      input::LineSplitter::open_part(lines_, std::move(between));
  bytes_ = bytes.get();
  source_.emplace(std::move(path), std::move(bytes), options);
}

std::unique_ptr<BulkInput::Part> BulkInput::open(std::function<void()> between) const {
  return std::make_unique<Part>(path_, lines_, options_, std::move(between));
}

uint64_t input_bytes(const std::string& path) {
  struct stat status {};
  const int found = path == "-" ? ::fstat(0, &status) : ::stat(path.c_str(), &status);
  return found == 0 && S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0;
}

}  // namespace postern::opensearch
