// parsed_shard MAPPING BULK.ndjson FOLDER: the documents of a `_bulk` file through DocumentParser
// into a plain Lucene index of one segment, for comparison with what a node writes. Prints one line
// for each document, "201" or "400 REASON", then the resulting mapping; for a mapping that is
// refused "refused REASON" alone.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include "input/json_tree.h"
#include "opensearch/document_parser.h"
#include "opensearch/mapping.h"
#include "postern/error.h"
#include "postern/writer.h"

namespace {

using postern::opensearch::DocumentParser;
using postern::opensearch::Mapping;

void build(Mapping& mapping, const char* bulk, const char* folder) {
  const std::unique_ptr<postern::Directory> directory = postern::open_directory(folder);
  postern::IndexWriter writer(*directory, {});
  DocumentParser parser(mapping, {});
  std::ifstream input(bulk);
  std::string action;
  std::string source;
  int64_t sequence_number = 0;
  while (std::getline(input, action) && std::getline(input, source)) {
    const auto call = postern::input::parse_json(action);
    const auto* id = call.items.at(0).find("_id");
    const auto* routing = call.items.at(0).find("routing");
    const size_t length = source.size();
    source.append(DocumentParser::kPadding, ' ');
    DocumentParser::Header header{.id = id->text, .routing = {}, .has_routing = routing != nullptr};
    if (routing != nullptr) header.routing = routing->text;
    try {
      parser.parse(header, std::string_view(source).substr(0, length));
      const auto documents = parser.documents(sequence_number);
      if (documents.size() == 1) {
        writer.add_document(documents[0]);
      } else {
        writer.add_documents(documents);
      }
      ++sequence_number;
      std::cout << "201\n";
    } catch (const postern::InvalidDocument& e) {
      std::cout << "400 " << e.what() << "\n";
    }
  }
  writer.close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    std::unique_ptr<Mapping> mapping;
    try {
      mapping = Mapping::load(argv[1]);
    } catch (const postern::Error& e) {
      std::cout << "refused " << e.what() << "\n";
      return 0;
    }
    build(*mapping, argv[2], argv[3]);
    std::cout << mapping->to_json() << "\n";
    return 0;
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
