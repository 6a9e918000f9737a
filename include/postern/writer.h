// Builds an index: documents in, commits out. Any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "postern/directory.h"
#include "postern/document.h"
#include "postern/index_sort.h"
#include "postern/limits.h"

namespace postern {

namespace index {
class WriterCore;
}

// Where the bytes of terms live while a segment is built in memory (docs/architecture.md, "Two
// pools"). The files are the same in all three.
enum class PoolLayout : uint8_t {
  kShared,    // in the postings slice pool, between the slices, as Lucene does
  kSeparate,  // in a term pool of their own
  kInline     // short terms in the term's state, longer ones in the term pool
};

enum class StoredFieldsMode : uint8_t { kBestSpeed, kBestCompression };
enum class OpenMode : uint8_t { kCreateOrAppend, kCreate, kAppend };

// The documents that have these bytes, exactly, as a term of a field. Of a field or term that no
// document has there are none.
struct Term {
  std::string_view field;
  std::string_view bytes;
};

// The new doc value of a field: a number for numeric doc values, bytes for binary ones.
struct DocValuesUpdate {
  std::string_view field;
  std::variant<int64_t, std::string_view> value;
};

// One flushed segment, as told to WriterConfig::on_flush.
struct FlushEvent {
  std::string segment{};      // "_3"
  uint32_t documents = 0;     // refused ones included
  uint32_t deleted = 0;       // documents refused half-way, or deleted before the flush
  uint64_t buffer_bytes = 0;  // memory the segment used before it was written
  uint64_t file_bytes = 0;    // bytes of its files
  const char* reason = "";    // "ram", "documents", "pool", "commit", "requested", "delete_all"
};

struct WriterConfig {
  OpenMode open_mode = OpenMode::kCreateOrAppend;
  // A segment is flushed when its buffer reaches this many bytes ...
  double ram_buffer_mb = 256;
  // ... or this many documents; 0 = no such limit.
  uint32_t max_buffered_documents = 0;
  PoolLayout pools = PoolLayout::kInline;
  StoredFieldsMode stored_fields = StoredFieldsMode::kBestSpeed;
  bool use_compound_file = true;
  // The order of documents within each segment; empty: as they come. An index that has segments of
  // another order cannot be opened with a sort, unless theirs begins with the same keys.
  IndexSort index_sort{};
  // Documents of a block (add_documents) stay together, and can be found again as one, by this
  // numeric doc values field, which the writer gives to the last document of each block and to
  // every single one. Documents may not use it. Blocks in an index with a sort need it. Empty:
  // none.
  std::string parent_field{};
  // Documents with a doc value in this field count as deleted for readers that know of it. Empty:
  // none. Both fields belong to an index from its first document on.
  std::string soft_deletes_field{};
  // What close() does with documents that were not committed.
  bool commit_on_close = true;
  Limits limits{};
  // Called after each flush, by the thread that flushed. Calls of this and of on_memory never
  // overlap; they must not call the writer. May be empty.
  std::function<void(const FlushEvent&)> on_flush{};
  // Called with the bytes in use after each document that changed them noticeably. May be empty.
  std::function<void(uint64_t bytes)> on_memory{};
};

// Each thread that adds documents at the same time as others fills a segment of its own; all of
// them share the memory budget. With one thread, documents keep their order. After any IoError from
// a flush or commit the writer refuses further work ("closed by an earlier error") and the last
// commit stays readable. An InvalidDocument costs only its document.
//
// Operations are ordered by the sequence numbers they return, across all threads: a delete or
// update concerns every document that was added with a smaller number, and none with a larger one.
class IndexWriter {
 public:
  // Takes the write lock, reads the current commit and removes leftovers of crashed writers.
  // Throws LockHeld, CorruptIndex, NotSupported, InvalidArgument, IoError.
  IndexWriter(Directory& directory, WriterConfig config);
  ~IndexWriter();  // rolls back what close() has not committed, without throwing
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  // Returns the operation's sequence number, as all operations on documents do. Throws
  // InvalidDocument, SchemaConflict, LimitExceeded, IoError.
  uint64_t add_document(const Document& document);
  // A block: all of its documents or none become visible, in one segment, with adjacent numbers.
  uint64_t add_documents(std::span<const Document> block);

  // Deletes the documents that have any of the terms.
  uint64_t delete_documents(std::span<const Term> terms);
  // Deletes the documents that have the term and adds new ones, as one operation. If a new document
  // is refused, nothing is deleted.
  uint64_t update_document(const Term& term, const Document& document);
  uint64_t update_documents(const Term& term, std::span<const Document> block);
  // Gives the documents that have the term new doc values, whether they had any or not. A field
  // that the index does not know yet becomes one with doc values. Throws InvalidArgument, and
  // changes nothing, if a field has anything but doc values of that type without a skip index, or
  // is what the index is sorted by.
  uint64_t update_doc_values(const Term& term, std::span<const DocValuesUpdate> updates);
  // Drops all documents, and what the index knew of its fields. Durable with the next commit.
  uint64_t delete_all();

  // Adds documents of one thread that keep their order in the index, at less cost: while it exists,
  // the thread has its segment to itself. flush, commit and delete_all of other threads wait until
  // it adds its next document or ends, and so would its own thread's: end it before such a call,
  // and while waiting for input.
  class Appender {
   public:
    explicit Appender(IndexWriter& writer);
    ~Appender();
    Appender(const Appender&) = delete;
    Appender& operator=(const Appender&) = delete;
    // As the writer's, but without a sequence number.
    void add_document(const Document& document);
    void add_documents(std::span<const Document> block);

   private:
    class Impl;
    std::unique_ptr<Impl> impl_;
  };

  // Ends the segments being built without a commit.
  void flush();
  // Stored with the next commit.
  void set_commit_user_data(std::map<std::string, std::string> data);
  // Makes everything added so far durable. Returns the generation of the new commit, nullopt if
  // there was nothing to commit.
  std::optional<uint64_t> commit();
  // The two phases of commit: after prepare_commit everything is on disk, but only commit()
  // publishes it.
  void prepare_commit();
  // Drops everything since the last commit and closes.
  void rollback();
  // Commits (if commit_on_close) and releases the lock. Further calls do nothing.
  void close();

  uint64_t buffered_documents() const;
  // Documents of all segments and of the buffer, refused and deleted ones included.
  uint64_t max_doc() const;
  // Bytes the buffer uses now.
  uint64_t ram_bytes_used() const;
  uint64_t segment_count() const;

 private:
  std::unique_ptr<index::WriterCore> core_;
};

}  // namespace postern
