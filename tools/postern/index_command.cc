#include "index_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "exit_codes.h"
#include "format.h"
#include "index_job.h"
#include "index_report.h"
#include "options.h"
#include "output.h"

namespace postern::tool {

namespace {

struct Arguments {
  IndexOptions options;
  uint32_t threads = 0;  // as many as there are processors
  std::string pools = "inline";
  std::string compound = "true";
  std::string stored_mode = "speed";
  std::string on_error = "stop";
  bool no_merge = false;
  bool create = false;
  bool append = false;
  bool json = false;
};

int run(Arguments& arguments) {
  IndexOptions& options = arguments.options;
  options.mode_given = arguments.create || arguments.append;
  options.skip_refused = arguments.on_error == "skip";
  WriterConfig& writer = options.writer;
  if (arguments.create) writer.open_mode = OpenMode::kCreate;
  if (arguments.append) writer.open_mode = OpenMode::kAppend;
  writer.pools = arguments.pools == "shared"     ? PoolLayout::kShared
                 : arguments.pools == "separate" ? PoolLayout::kSeparate
                                                 : PoolLayout::kInline;
  writer.use_compound_file = arguments.compound == "true";
  writer.stored_fields = arguments.stored_mode == "compression" ? StoredFieldsMode::kBestCompression
                                                                : StoredFieldsMode::kBestSpeed;
  options.threads = arguments.threads != 0 ? arguments.threads : available_processors();
  const IndexReport report = IndexJob(options).run();
  if (!report.error.empty()) tell(fmt::format("postern: {}\n", report.error));
  if (report.interrupted) tell(fmt::format("postern: interrupted\n"));
  if (!report.outcome.empty()) tell(fmt::format("postern: {}\n", report.outcome));
  if (arguments.json) {
    put(json_report(report));
  } else if (!options.quiet) {
    put(text_report(report, options.out));
  }
  return finish_output(report.exit_code, report.exit_code == kOk
                                             ? "the index is committed; only the report is lost"
                                             : "");
}

}  // namespace

void add_index_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("index", "Build an index, or add to one, from documents");
  auto arguments = std::make_shared<Arguments>();
  IndexOptions& options = arguments->options;
  command->add_option("--out", options.out, "Folder of the index; made if it does not exist")
      ->required()
      ->type_name("DIR");
  command
      ->add_option(
          "--schema", options.schema,
          "Which fields there are and how they are indexed (docs/schema.md); without it one "
          "is inferred from the first documents and printed")
      ->type_name("FILE");
  command
      ->add_option("--threads", arguments->threads,
                   "Indexing threads, each with segments of its own; without it, one for each "
                   "processor. 1 keeps the order of the input")
      ->check(CLI::Range(1u, 1024u))
      ->type_name("N");
  command
      ->add_option("--ram-mb", options.writer.ram_buffer_mb,
                   "Memory of the segment being built; when it is full, the segment is written")
      ->check(positive_number)
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--max-buffered-docs", options.writer.max_buffered_documents,
                   "Write a segment after this many documents, too")
      ->check(CLI::Range(1u, 2147483519u))
      ->type_name("N");
  command
      ->add_option("--pools", arguments->pools,
                   "Where the text of terms lives in memory; the files are the same")
      ->check(CLI::IsMember({"inline", "separate", "shared"}))
      ->type_name("LAYOUT")
      ->capture_default_str();
  command->add_option("--compound", arguments->compound, "Pack each segment's files into one")
      ->check(CLI::IsMember({"true", "false"}))
      ->type_name("CHOICE")
      ->capture_default_str();
  command->add_option("--stored-mode", arguments->stored_mode, "How stored values are compressed")
      ->check(CLI::IsMember({"speed", "compression"}))
      ->type_name("MODE")
      ->capture_default_str();
  command->add_flag("--no-merge", arguments->no_merge,
                    "Do not merge segments; this version never does");
  CLI::Option* create =
      command->add_flag("--create", arguments->create, "Replace the index if there is one");
  command->add_flag("--append", arguments->append, "Add to the index that is there")
      ->excludes(create);
  command
      ->add_option("--on-error", arguments->on_error,
                   "What a refused document costs: the rest of the run (what came before it is "
                   "committed), or only itself")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->type_name("CHOICE")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print the final report as one JSON object");
  command->add_flag("--quiet", options.quiet, "No progress, no inferred schema, no text report");
  command
      ->add_option("INPUT", options.inputs,
                   "JSON Lines (.jsonl, .ndjson, .json), line documents (.txt, .tsv), each also "
                   ".gz; a folder of text files; - for JSON Lines from standard input")
      ->required();
  command->footer(
      "Exit codes: 0 done, 1 a mistake in the options or the input, 2 corrupt index, 3 reading or\n"
      "writing failed, 130 interrupted (what was finished is committed; a second Ctrl-C stops at "
      "once).");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace postern::tool
