// postern lookup: what an index holds of single terms.
#pragma once

namespace CLI {
class App;
}

namespace postern::tool {

void add_lookup_command(CLI::App& app, int& exit_code);

}  // namespace postern::tool
