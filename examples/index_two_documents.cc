// Builds an index of two documents in the folder given on the command line.
#include <cstdio>

#include "postern/postern.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw postern::InvalidArgument("usage: index_two_documents FOLDER");
  postern::FieldType type{.index_options = postern::IndexOptions::kPositions, .stored = true};
  postern::FieldDefinition title("title", type, postern::standard_analyzer());
  auto directory = postern::open_directory(argv[1]);
  postern::IndexWriter writer(*directory, {.ram_buffer_mb = 64});
  postern::Document document;
  for (const char* text : {"The small side gate", "A gate of the fortress"}) {
    document.clear();
    document.add_text(title, text);
    writer.add_document(document);
  }
  writer.close();  // commits
} catch (const postern::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
