// postern info: what an index consists of.
#pragma once

namespace CLI {
class App;
}

namespace postern::tool {

void add_info_command(CLI::App& app, int& exit_code);

}  // namespace postern::tool
