#include "opensearch_command.h"

#include <CLI/CLI.hpp>

namespace postern::tool {

void add_opensearch_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "opensearch", "Build indexes that OpenSearch restores, in one process or in many");
  command->require_subcommand(1);
  add_opensearch_build(*command, exit_code);
  add_opensearch_assemble(*command, exit_code);
  add_opensearch_route(*command, exit_code);
}

}  // namespace postern::tool
