// Documents of a mapping with every type and of one that they make up themselves: each becomes
// Lucene documents, which the writer takes, or is refused.
#include <memory>
#include <string>
#include <string_view>

#include "opensearch/document_parser.h"
#include "opensearch/mapping.h"
#include "postern/error.h"
#include "postern/writer.h"

namespace {

using namespace postern;
using opensearch::DocumentParser;
using opensearch::Mapping;

constexpr std::string_view kTypes = R"({"properties":{
    "t":{"type":"text","copy_to":["c","p.q"],"fields":{"k":{"type":"keyword","ignore_above":9}}},
    "k":{"type":"keyword","doc_values":false,"null_value":"N"},"b":{"type":"boolean"},
    "l":{"type":"long","ignore_malformed":true},"h":{"type":"half_float"},
    "u":{"type":"unsigned_long","store":true},"f":{"type":"float","store":true},
    "d":{"type":"date"},"i":{"type":"ip"},"g":{"type":"geo_point","store":true},
    "m":{"type":"geo_point","ignore_malformed":true,"ignore_z_value":false},
    "o":{"properties":{"x":{"type":"byte"}}},"e":{"type":"object","enabled":false},
    "s":{"dynamic":"strict","properties":{"a":{"type":"date_nanos"}}},
    "n":{"type":"nested","include_in_root":true,"properties":{"x":{"type":"keyword","copy_to":["n.c","c"]},
         "n":{"type":"nested","include_in_parent":true,"properties":{"y":{"type":"short"}}}}}}})";

}  // namespace

// Each line is a document. The first byte says which mapping.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto mapping = Mapping::parse(data[0] % 2 == 0 ? kTypes : "{}", "fuzz");
  DocumentParser parser(*mapping, {});
  const auto directory = memory_directory();
  IndexWriter writer(*directory, {});
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t end = text.size();
  text.append(DocumentParser::kPadding, '\0');
  int64_t number = 0;
  for (size_t from = 0; from < end;) {
    const size_t to = std::min(text.find('\n', from), end);
    try {
      parser.parse({.id = "id", .routing = {}}, std::string_view(text).substr(from, to - from));
      const auto documents = parser.documents(number++);
      if (documents.size() == 1) {
        writer.add_document(documents[0]);
      } else {
        writer.add_documents(documents);
      }
    } catch (const InvalidDocument&) {
    }
    from = to + 1;
  }
  // What the documents made of the mapping is a mapping.
  Mapping::parse(mapping->to_json(), "made");
  writer.close();
  return 0;
}
