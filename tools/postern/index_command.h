// postern index: its options.
#pragma once

namespace CLI {
class App;
}

namespace postern::tool {

// Adds the subcommand; when it is the one that was asked for, it runs during parsing and sets
// `exit_code`.
void add_index_command(CLI::App& app, int& exit_code);

}  // namespace postern::tool
