#include "opensearch/own_names.h"

#include <algorithm>

namespace postern::opensearch {

const char* why_reserved(std::string_view name) {
  if (!name.starts_with('_')) return nullptr;
  constexpr std::string_view kMetadata[] = {
      "_id",      "_source",  "_routing",     "_index",       "_seq_no",
      "_version", "_ignored", "_field_names", "_nested_path", "_data_stream_timestamp"};
  if (std::ranges::find(kMetadata, name) != std::end(kMetadata)) {
    return "it is a metadata field and cannot be added inside a document";
  }
  if (name == "_doc_count") return "counts of documents are not supported";
  constexpr std::string_view kInternal[] = {"_primary_term", "__soft_deletes", "_tombstone",
                                            "_recovery_source"};
  if (std::ranges::find(kInternal, name) != std::end(kInternal)) {
    return "OpenSearch uses the name itself, with values of another kind";
  }
  return nullptr;
}

}  // namespace postern::opensearch
