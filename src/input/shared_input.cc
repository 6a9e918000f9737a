#include "input/shared_input.h"

#include "input/json_lines_source.h"
#include "input/line_documents_source.h"

namespace postern::input {

SharedInput::SharedInput(InputInfo input, SourceOptions options)
    : input_(std::move(input)), options_(std::move(options)) {
  if (input_.kind == InputKind::kFolder) {
    files_ = std::make_shared<FolderSource::Files>(input_.path, options_.block);
    return;
  }
  lines_ = std::make_shared<LineSplitter>(
      open_byte_source(input_.path, options_.stop_descriptor), options_.block,
      input_.kind == InputKind::kJsonLines ? json_line_role : LineDocumentsSource::line_role());
}

std::unique_ptr<Source> SharedInput::open(std::function<void()> between) {
  if (files_) {
    return std::make_unique<FolderSource>(input_.path, files_, options_, std::move(between));
  }
  std::unique_ptr<ByteSource> part = LineSplitter::open_part(lines_, std::move(between));
  if (input_.kind == InputKind::kJsonLines) return open_source(input_, std::move(part), options_);
  auto source = std::make_unique<LineDocumentsSource>(input_.path, std::move(part), options_);
  options_.columns = source->columns();  // the first one has the beginning
  return source;
}

void SharedInput::stop() {
  if (lines_) {
    lines_->stop();
  } else {
    files_->stop();
  }
}

uint64_t SharedInput::bytes_taken() const {
  return lines_ ? lines_->bytes_taken() : files_->bytes_taken();
}

}  // namespace postern::input
