// postern opensearch: shards and a snapshot repository that OpenSearch restores.
#pragma once

namespace CLI {
class App;
}

namespace postern::tool {

void add_opensearch_command(CLI::App& app, int& exit_code);

// Its subcommands.
void add_opensearch_build(CLI::App& parent, int& exit_code);
void add_opensearch_assemble(CLI::App& parent, int& exit_code);
void add_opensearch_route(CLI::App& parent, int& exit_code);

}  // namespace postern::tool
