// postern check: whether an index is sound.
#pragma once

namespace CLI {
class App;
}

namespace postern::tool {

void add_check_command(CLI::App& app, int& exit_code);

}  // namespace postern::tool
