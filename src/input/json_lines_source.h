// JSON Lines: a document or an operation per line (docs/schema.md, "JSON Lines").
#pragma once

#include <optional>
#include <string>

#include "input/json_documents.h"
#include "input/line_reader.h"
#include "input/source.h"

namespace postern::input {

class JsonLinesSource : public Source {
 public:
  JsonLinesSource(std::string name, std::unique_ptr<ByteSource> bytes,
                  const SourceOptions& options);

  std::string infer_schema() override;
  void use_schema(Schema& schema) override { reader_.emplace(schema); }
  Event next() override;
  uint64_t bytes_taken() const override { return lines_.bytes_taken(); }
  uint64_t text_bytes() const override { return lines_.text_bytes(); }

 private:
  LineReader lines_;
  std::optional<JsonDocuments> reader_;
};

}  // namespace postern::input
