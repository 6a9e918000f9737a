#include "index/writer_core.h"
#include "postern/writer.h"

namespace postern {

IndexWriter::IndexWriter(Directory& directory, WriterConfig config)
    : core_(std::make_unique<index::WriterCore>(directory, std::move(config))) {}
IndexWriter::~IndexWriter() { core_->rollback(); }

class IndexWriter::Appender::Impl : public index::WriterCore::Use {
 public:
  using Use::Use;
};

IndexWriter::Appender::Appender(IndexWriter& writer)
    : impl_(std::make_unique<Impl>(*writer.core_)) {}
IndexWriter::Appender::~Appender() = default;
void IndexWriter::Appender::add_document(const Document& document) {
  impl_->add({&document, 1}, false);
}
void IndexWriter::Appender::add_documents(std::span<const Document> block) {
  impl_->add(block, false);
}

uint64_t IndexWriter::add_document(const Document& document) { return core_->add({&document, 1}); }
uint64_t IndexWriter::add_documents(std::span<const Document> block) { return core_->add(block); }
uint64_t IndexWriter::delete_documents(std::span<const Term> terms) {
  return core_->delete_documents(terms);
}
uint64_t IndexWriter::update_document(const Term& term, const Document& document) {
  return core_->update(term, {&document, 1});
}
uint64_t IndexWriter::update_documents(const Term& term, std::span<const Document> block) {
  return core_->update(term, block);
}
uint64_t IndexWriter::update_doc_values(const Term& term,
                                        std::span<const DocValuesUpdate> updates) {
  return core_->update_doc_values(term, updates);
}
uint64_t IndexWriter::delete_all() { return core_->delete_all(); }
void IndexWriter::flush() { core_->flush(); }
void IndexWriter::set_commit_user_data(std::map<std::string, std::string> data) {
  core_->set_commit_user_data(std::move(data));
}
std::optional<uint64_t> IndexWriter::commit() { return core_->commit(); }
void IndexWriter::prepare_commit() { core_->prepare_commit(); }
void IndexWriter::rollback() { core_->rollback(); }
void IndexWriter::close() { core_->close(); }
uint64_t IndexWriter::buffered_documents() const { return core_->buffered_documents(); }
uint64_t IndexWriter::max_doc() const { return core_->max_doc(); }
uint64_t IndexWriter::ram_bytes_used() const { return core_->ram_bytes_used(); }
uint64_t IndexWriter::segment_count() const { return core_->segment_count(); }

}  // namespace postern
