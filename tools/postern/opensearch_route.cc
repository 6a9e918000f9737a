// postern opensearch route: which shard each document belongs to.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "exit_codes.h"
#include "opensearch/bulk_input.h"
#include "opensearch/shard_router.h"
#include "opensearch_command.h"
#include "output.h"
#include "postern/error.h"

namespace postern::tool {

namespace {

constexpr size_t kAtATime = size_t{64} << 10;

struct Arguments {
  uint32_t shards = 1;
  uint32_t routing_shards = 0;
  std::string format = "lines";
  opensearch::BulkOptions options;
  std::vector<std::string> inputs;
};

class Answers {
 public:
  explicit Answers(const Arguments& arguments)
      : router_(arguments.shards, arguments.routing_shards) {}
  ~Answers() { put(text_); }

  void add(std::string_view routing_or_id) {
    text_ += fmt::format_int(router_.shard_of(routing_or_id)).str();
    text_ += '\n';
    if (text_.size() < kAtATime) return;
    put(text_);
    text_.clear();
  }

 private:
  opensearch::ShardRouter router_;
  std::string text_;
};

// Each line is an id or a routing, whatever it looks like.
void route_lines(const std::string& path, Answers& answers) {
  input::LineReader lines(input::open_byte_source(path));
  while (const std::optional<input::Line> line = lines.next()) {
    if (line->text.empty()) {
      throw InvalidArgument(fmt::format("{} line {}: no id", path, line->number));
    }
    answers.add(line->text);
  }
}

void route_documents(const std::string& path, const Arguments& arguments, Answers& answers) {
  opensearch::BulkOptions options = arguments.options;
  options.format = arguments.format == "bulk" ? opensearch::InputFormat::kBulk
                                              : opensearch::InputFormat::kJsonLines;
  options.any_index = true;
  const opensearch::BulkInput input(path, options, -1);
  const auto part = input.open();
  while (const auto document = part->source().next()) {
    if (!document->has_routing && document->id.empty()) {
      throw InvalidArgument(
          fmt::format("{}: neither an id nor a routing", input::describe(part->source().place())));
    }
    answers.add(document->has_routing ? document->routing : document->id);
  }
}

int run(const Arguments& arguments) {
  Answers answers(arguments);
  for (const std::string& path : arguments.inputs) {
    if (arguments.format == "lines") {
      route_lines(path, answers);
    } else {
      route_documents(path, arguments, answers);
    }
  }
  return kOk;
}

}  // namespace

void add_opensearch_route(CLI::App& parent, int& exit_code) {
  CLI::App* command = parent.add_subcommand(
      "route", "Tell which shard each document belongs to: one number a line, in order");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("--shards", arguments->shards, "Number of primary shards")
      ->required()
      ->type_name("N");
  command
      ->add_option("--index-routing-shards", arguments->routing_shards,
                   "index.number_of_routing_shards; without it OpenSearch's default")
      ->check(CLI::PositiveNumber)
      ->type_name("R");
  command
      ->add_option("--input-format", arguments->format,
                   "lines: each is the routing of a document, or its id if it has none; or "
                   "documents: _bulk NDJSON, JSON Lines")
      ->check(CLI::IsMember({"lines", "bulk", "jsonl"}))
      ->type_name("FORMAT")
      ->capture_default_str();
  command
      ->add_option("--id-field", arguments->options.id_field,
                   "Of JSON Lines: the field with the id")
      ->type_name("PATH");
  command
      ->add_option("--routing-field", arguments->options.routing_field,
                   "Of JSON Lines: the field with the routing")
      ->type_name("PATH");
  command->add_option("INPUT", arguments->inputs, "Files, plain or gzip; - for standard input")
      ->required();
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace postern::tool
