// postern opensearch assemble: shards that were built apart -> a repository.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "exit_codes.h"
#include "format.h"
#include "input/byte_source.h"
#include "input/json_tree.h"
#include "opensearch/snapshot_repository.h"
#include "opensearch_command.h"
#include "opensearch_report.h"
#include "output.h"

namespace postern::tool {

namespace {

constexpr size_t kLongestManifest = size_t{1} << 28;

struct Arguments {
  std::string repository;
  std::vector<std::string> manifests;
  bool json = false;
  bool quiet = false;
};

opensearch::BuiltShard load(const std::string& path) {
  opensearch::BuiltShard shard;
  shard.name = path;
  shard.folder = std::filesystem::absolute(path).parent_path();
  const auto bytes = input::open_byte_source(path);
  shard.manifest =
      opensearch::parse_manifest(input::read_all(*bytes, path, kLongestManifest), path);
  return shard;
}

int run(const Arguments& arguments) {
  opensearch::require_no_repository(arguments.repository);
  std::vector<opensearch::BuiltShard> shards;
  for (const std::string& path : arguments.manifests) shards.push_back(load(path));
  const opensearch::AssembledIndex index(std::move(shards));
  opensearch::write_repository(arguments.repository, index);
  if (arguments.json) {
    print("{{\"index\": {}, \"shards\": {}, \"documents\": {}, \"bytes\": {}}}\n",
          input::json_quote(index.index()), index.shards().size(), index.documents(),
          index.bytes());
  } else if (!arguments.quiet) {
    print("{} in {}, {}\n", counted(index.documents(), "document"),
          counted(index.shards().size(), "shard"), bytes_text(index.bytes()));
    put(restore_calls(arguments.repository, index.index()));
  }
  return finish_output(kOk, "the repository is complete; only the report is lost");
}

}  // namespace

void add_opensearch_assemble(CLI::App& parent, int& exit_code) {
  CLI::App* command = parent.add_subcommand(
      "assemble", "Put shards that build --shard has built together to a snapshot repository");
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option("--repository", arguments->repository,
                   "Folder of the snapshot repository; the shards' files are moved into it")
      ->required()
      ->type_name("DIR");
  command->add_flag("--json", arguments->json, "Print the report as one JSON object");
  command->add_flag("--quiet", arguments->quiet, "No report");
  command
      ->add_option("MANIFEST", arguments->manifests,
                   "The manifest.json of each shard, beside its files")
      ->required();
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace postern::tool
