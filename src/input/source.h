// Reads inputs (JSON Lines, line documents, folders of text files) as documents.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "input/errors.h"
#include "input/line_reader.h"
#include "input/schema.h"
#include "postern/document.h"
#include "postern/writer.h"

namespace postern::input {

enum class InputKind : uint8_t { kJsonLines, kLineDocuments, kFolder };

// "JSON Lines", ...
const char* input_kind_name(InputKind kind);

struct InputInfo {
  std::string path;  // as given; "-" is standard input
  InputKind kind = InputKind::kJsonLines;
  uint64_t bytes = 0;  // of the file, or of all files of a folder; 0 = not known
};

// Looks at the path's name and kind: .jsonl .ndjson .json, .txt .tsv (each also .gz), a folder, "-"
// or another stream. Throws InvalidArgument for other names and for what is not there, IoError.
InputInfo inspect_input(const std::string& path);

// What the last step of a source brought.
enum class Event : uint8_t {
  kDocuments,        // documents(), to be added; as a block if is_block()
  kUpdate,           // the same in place of those with the only one of terms()
  kDelete,           // the documents with any of terms()
  kUpdateDocValues,  // doc_values() for those with the only one of terms()
  kDeleteAll,
  kFlush,
  kCommit,  // with user_data()
  kEnd
};

class Source {
 public:
  virtual ~Source() = default;

  // A schema for this input, as the JSON text of docs/schema.md, from its first documents. Reads
  // ahead without taking anything; only before the first call of next. Throws IoError.
  virtual std::string infer_schema() = 0;

  // What fields become; before the first call of next. The schema outlives the source. Throws
  // InvalidArgument if no field of the schema can get a value from this input.
  virtual void use_schema(Schema& schema) = 0;

  // The next step. Throws RefusedInput, after which the source goes on behind the refused line or
  // file, and IoError, after which it does not.
  virtual Event next() = 0;

  // Valid until the next call of next. Every text among them has kTermPadding readable bytes
  // behind it.
  std::span<const Document> documents() const { return documents_; }
  bool is_block() const { return is_block_; }
  std::span<const Term> terms() const { return terms_; }
  std::span<const DocValuesUpdate> doc_values() const { return doc_values_; }
  const std::map<std::string, std::string>& user_data() const { return user_data_; }
  // Where the last step, or refusal, stands.
  const Place& place() const { return place_; }

  // Bytes of the input's files taken so far, to be compared with InputInfo::bytes.
  virtual uint64_t bytes_taken() const = 0;
  // Number the next document gets.
  uint64_t next_document() const { return next_document_; }
  // Bytes of text handled so far, decompressed.
  virtual uint64_t text_bytes() const = 0;

 protected:
  std::span<const Document> documents_;
  bool is_block_ = false;
  std::span<const Term> terms_;
  std::span<const DocValuesUpdate> doc_values_;
  std::map<std::string, std::string> user_data_;
  Place place_;
  uint64_t next_document_ = 0;
};

struct SourceOptions {
  // Longer lines (and files of a folder) are refused.
  size_t longest_line = LineReader::kLongestLine;
  // Bytes read at a time; what infer_schema looks at.
  size_t block = LineReader::kBlock;
  // Number of the first document (the column "_line", and messages).
  uint64_t first_document = 0;
  // Of line documents whose beginning, with the names of the columns, another reader has; empty:
  // read them from it.
  std::vector<std::string> columns{};
  // A file descriptor that becomes readable when waiting for input is to be given up (with
  // ReadStopped); -1: never.
  int stop_descriptor = -1;
};

// Opens an input. Throws IoError.
std::unique_ptr<Source> open_source(const InputInfo& input, const SourceOptions& options = {});

// The same from bytes in memory, for tests; `info` gives the kind (not a folder) and the name.
std::unique_ptr<Source> open_source(const InputInfo& info, std::unique_ptr<ByteSource> bytes,
                                    const SourceOptions& options = {});

}  // namespace postern::input
