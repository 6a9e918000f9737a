// postern opensearch build: documents and a mapping -> a repository, or one shard of it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "exit_codes.h"
#include "format.h"
#include "opensearch_command.h"
#include "opensearch_job.h"
#include "opensearch_report.h"
#include "options.h"
#include "output.h"

namespace postern::tool {

namespace {

struct Arguments {
  OpenSearchOptions options;
  std::string repository;
  std::string format;
  uint32_t threads = 0;  // as many as there are processors
  uint32_t shard = 0;
  CLI::Option* shard_given = nullptr;
  double ram_mb = 256;
  std::string duplicates = "error";
  std::string on_error = "stop";
  bool json = false;
};

int run(Arguments& arguments) {
  OpenSearchOptions& options = arguments.options;
  opensearch::ShardSetOptions& shards = options.shards;
  shards.repository = arguments.repository;
  if (arguments.shard_given->count() != 0) shards.only = arguments.shard;
  shards.duplicates = arguments.duplicates == "last" ? opensearch::DuplicatePolicy::kLast
                                                     : opensearch::DuplicatePolicy::kRefuse;
  shards.memory = static_cast<uint64_t>(arguments.ram_mb * (1 << 20));
  options.format = arguments.format == "bulk"    ? opensearch::InputFormat::kBulk
                   : arguments.format == "jsonl" ? opensearch::InputFormat::kJsonLines
                                                 : opensearch::InputFormat::kUnknown;
  options.skip_refused = arguments.on_error == "skip";
  options.threads = arguments.threads != 0 ? arguments.threads : available_processors();
  const OpenSearchReport report = OpenSearchJob(options).run();
  if (!report.passed_over.empty() && !options.quiet) {
    std::string names;
    for (const std::string& name : report.passed_over) names += (names.empty() ? "" : ", ") + name;
    tell(fmt::format("postern: of {} these were passed over: {}\n", options.mappings, names));
  }
  if (!report.error.empty()) tell(fmt::format("postern: {}\n", report.error));
  if (report.interrupted) tell("postern: interrupted\n");
  if (!report.outcome.empty()) tell(fmt::format("postern: {}\n", report.outcome));
  if (arguments.json) {
    put(json_report(report));
  } else if (!options.quiet) {
    put(text_report(report));
    if (report.complete && shards.only) {
      print("{}/{}\n", report.shards.front().folder, opensearch::kManifestName);
    } else if (report.complete) {
      put(restore_calls(arguments.repository, shards.index));
    }
  }
  return finish_output(report.exit_code, report.complete
                                             ? "what was built is complete; only the report is lost"
                                             : "");
}

}  // namespace

void add_opensearch_build(CLI::App& parent, int& exit_code) {
  CLI::App* command =
      parent.add_subcommand("build", "Documents and a mapping into a snapshot repository");
  auto arguments = std::make_shared<Arguments>();
  OpenSearchOptions& options = arguments->options;
  command
      ->add_option("--mappings", options.mappings,
                   "OpenSearch's mapping: a `mappings` object, or what GET INDEX answers")
      ->required()
      ->type_name("FILE");
  command->add_option("--index", options.shards.index, "Name of the index")
      ->required()
      ->type_name("NAME");
  command->add_option("--shards", options.shards.shards, "Number of primary shards")
      ->required()
      ->type_name("N");
  command
      ->add_option("--repository", arguments->repository,
                   "Folder of the snapshot repository; made if it does not exist")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--opensearch-version", options.shards.opensearch_version,
                   "The version that the index says it was created by: 3.6.x")
      ->type_name("VERSION")
      ->capture_default_str();
  command
      ->add_option("--index-routing-shards", options.shards.routing_shards,
                   "index.number_of_routing_shards; without it OpenSearch's default")
      ->check(CLI::PositiveNumber)
      ->type_name("R");
  command
      ->add_option("--input-format", arguments->format,
                   "_bulk NDJSON or JSON Lines; without it, the first line of each input decides")
      ->check(CLI::IsMember({"bulk", "jsonl"}))
      ->type_name("FORMAT");
  command
      ->add_option("--id-field", options.id_field,
                   "Of JSON Lines: the field with the id; without it ids are made up")
      ->type_name("PATH");
  command
      ->add_option("--routing-field", options.routing_field,
                   "Of JSON Lines: the field with the routing")
      ->type_name("PATH");
  command
      ->add_option("--duplicates", arguments->duplicates,
                   "Documents with the same id: the last one stays, or those behind the first are "
                   "refused")
      ->check(CLI::IsMember({"last", "error"}))
      ->type_name("CHOICE")
      ->capture_default_str();
  arguments->shard_given =
      command
          ->add_option("--shard", arguments->shard,
                       "Build only this shard (from 0), for postern opensearch assemble; documents "
                       "of others are passed over")
          ->type_name("K");
  command
      ->add_option("--threads", arguments->threads,
                   "Threads that read, analyze and index; without it, one for each processor")
      ->check(CLI::Range(1u, 1024u))
      ->type_name("N");
  command
      ->add_option("--ram-mb", arguments->ram_mb,
                   "Memory of the segments being built, of all shards, and of the table of ids")
      ->check(positive_number)
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--on-error", arguments->on_error,
                   "What a refused document costs: the run, or only itself")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->type_name("CHOICE")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print the final report as one JSON object");
  command->add_flag("--quiet", options.quiet, "No progress, no text report");
  command
      ->add_option("INPUT", options.inputs,
                   "_bulk NDJSON or JSON Lines, plain or gzip; - for standard input")
      ->required();
  command->footer(
      "Nothing can be restored before the run is through. Exit codes: 0 done, 1 a mistake in the\n"
      "options, the mapping or the input, 3 reading or writing failed, 130 interrupted.");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace postern::tool
