#include "info_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "exit_codes.h"
#include "field_options.h"
#include "format.h"
#include "index_info.h"
#include "input/json_tree.h"
#include "open_index.h"
#include "output.h"
#include "table.h"

namespace postern::tool {

namespace {

std::string json_text(const std::string& text) { return input::json_quote(valid_utf8(text)); }

struct Arguments {
  std::string index;
  bool json = false;
};

void print_commits(const IndexInfo& info) {
  Table table({"commit", "segments", "documents", "deleted", "written by", "user data"});
  for (const CommitInfo& commit : info.commits) {
    std::string data;
    for (const auto& [key, value] : commit.user_data)
      data += fmt::format("{}{}={}", data.empty() ? "" : ", ", key, input::quoted(value));
    table.add({commit.file, grouped(commit.segments), grouped(commit.documents),
               grouped(commit.deleted), "Lucene " + commit.lucene_version, data});
  }
  print("{}\n", table.text());
}

void print_segments(const IndexInfo& info) {
  if (info.segments.empty()) return;
  Table table({"segment", "documents", "deleted", "size", "files", "from", "sorted by"});
  for (const SegmentInfoRow& row : info.segments) {
    const codec::SegmentInfo& segment = row.commit.info;
    std::string source = "?";
    for (const auto& [key, value] : segment.diagnostics)
      if (key == "source") source = value;
    std::string sorted_by;
    for (const std::string& field : row.sorted_by)
      sorted_by += (sorted_by.empty() ? "" : ", ") + field;
    table.add({segment.name, grouped(segment.max_doc), grouped(row.commit.del_count),
               bytes_text(row.bytes), segment.compound ? "compound" : "loose", source, sorted_by});
  }
  print("{}\n", table.text());
}

void print_fields(const IndexInfo& info) {
  if (info.fields.empty()) return;
  Table table({"field", "number", "inverted", "terms", "doc values", "points", "vectors"});
  for (const FieldRow& row : info.fields) {
    table.add({row.field.name, std::to_string(row.field.number), inverted_text(row.field),
               row.terms == 0 ? "-" : grouped(row.terms), columns_text(row.field),
               points_text(row.field), vectors_text(row.field)});
  }
  print("{}\n", table.text());
}

void print_sizes(const IndexInfo& info) {
  Table table({"component", "size", "bytes"});
  for (const auto& [name, bytes] : info.sizes.components)
    table.add({name, bytes_text(bytes), grouped(bytes)});
  table.add({"all", bytes_text(info.sizes.bytes), grouped(info.sizes.bytes)});
  put(table.text());
}

std::string pairs_json(const codec::StringPairs& pairs) {
  std::string text;
  for (const auto& [key, value] : pairs)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", json_text(key), json_text(value));
  return "{" + text + "}";
}

std::string commit_json(const CommitInfo& commit) {
  return fmt::format(
      "{{\"file\": {}, \"generation\": {}, \"segments\": {}, \"documents\": {}, \"deleted\": {}, "
      "\"lucene_version\": {}, \"user_data\": {}}}",
      json_text(commit.file), commit.generation, commit.segments, commit.documents, commit.deleted,
      json_text(commit.lucene_version), pairs_json(commit.user_data));
}

std::string segment_json(const SegmentInfoRow& row) {
  const codec::SegmentCommitInfo& commit = row.commit;
  std::string sorted_by;
  for (const std::string& field : row.sorted_by)
    sorted_by += (sorted_by.empty() ? "" : ", ") + json_text(field);
  return fmt::format(
      "{{\"name\": {}, \"documents\": {}, \"deleted\": {}, \"soft_deleted\": {}, \"bytes\": {}, "
      "\"compound\": {}, \"has_blocks\": {}, \"lucene_version\": {}, \"deletes_generation\": {}, "
      "\"field_infos_generation\": {}, \"doc_values_generation\": {}, \"sorted_by\": [{}], "
      "\"attributes\": {}, \"diagnostics\": {}}}",
      json_text(commit.info.name), commit.info.max_doc, commit.del_count, commit.soft_del_count,
      row.bytes, commit.info.compound, commit.info.has_blocks,
      json_text(commit.info.version.to_string()), commit.del_gen, commit.field_infos_gen,
      commit.doc_values_gen, sorted_by, pairs_json(commit.info.attributes),
      pairs_json(commit.info.diagnostics));
}

std::string field_json(const FieldRow& row) {
  const codec::FieldInfo& f = row.field;
  return fmt::format(
      "{{\"name\": {}, \"number\": {}, \"segments\": {}, \"index_options\": \"{}\", \"norms\": {}, "
      "\"payloads\": {}, \"term_vectors\": {}, \"terms\": {}, \"documents_with_terms\": {}, "
      "\"doc_values\": \"{}\", \"doc_values_skip_index\": {}, \"doc_values_generation\": {}, "
      "\"point_dimensions\": {}, \"point_index_dimensions\": {}, \"point_bytes\": {}, "
      "\"vector_dimension\": {}, \"vector_encoding\": {}, \"vector_similarity\": {}, "
      "\"soft_deletes\": {}, \"parent\": {}}}",
      json_text(f.name), f.number, row.segments, index_options_name(f.index_options), f.has_norms(),
      f.payloads, f.term_vectors, row.terms, row.documents_with_terms, name_of(f.doc_values),
      f.doc_values_skip_index, f.doc_values_generation, f.point_dimensions,
      f.point_index_dimensions, f.point_bytes, f.vector_dimension,
      f.vector_dimension == 0                      ? "null"
      : f.vector_encoding == VectorEncoding::kByte ? "\"byte\""
                                                   : "\"float32\"",
      f.vector_dimension == 0 ? "null" : json_text(similarity_name(f.vector_similarity)),
      f.soft_deletes, f.parent);
}

template <class List, class Text>
std::string joined(const List& list, Text text) {
  std::string out;
  for (const auto& item : list) out += (out.empty() ? "" : ", ") + text(item);
  return out;
}

void print_json(const IndexInfo& info) {
  print(
      "{{\"commits\": [{}], \"segments\": [{}], \"fields\": [{}], \"bytes\": {}, "
      "\"components\": {{{}}}}}\n",
      joined(info.commits, commit_json), joined(info.segments, segment_json),
      joined(info.fields, field_json), info.sizes.bytes,
      joined(info.sizes.components, [](const auto& component) {
        return fmt::format("{}: {}", json_text(component.first), component.second);
      }));
}

int run(const Arguments& arguments) {
  const std::unique_ptr<Directory> directory = open_existing(arguments.index);
  const IndexInfo info = inspect_index(*directory);
  if (arguments.json) {
    print_json(info);
  } else {
    print_commits(info);
    print_segments(info);
    print_fields(info);
    print_sizes(info);
  }
  return kOk;
}

}  // namespace

void add_info_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("info", "Show commits, segments, fields and sizes of an index");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("DIR", arguments->index, "Folder of the index")->required();
  command->add_flag("--json", arguments->json, "Print everything as one JSON object");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace postern::tool
