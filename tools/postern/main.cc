// The `postern` command: subcommands, and what an error means to the caller of the program.
#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <new>

#include "exit_codes.h"
#include "index_command.h"
#include "lookup_command.h"

int main(int argc, char** argv) {
  using namespace postern::tool;
  // A reader of our output that goes away must not end an index half-way.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Builds Apache Lucene 10.4 indexes without a JVM.", "postern");
  app.set_version_flag("--version", "postern " POSTERN_VERSION " (Lucene 10.4 indexes)");
  app.require_subcommand(1);
  int exit_code = kOk;
  add_index_command(app, exit_code);
  add_lookup_command(app, exit_code);
  for (CLI::App* command : app.get_subcommands({})) {
    command->set_version_flag("--version", "postern " POSTERN_VERSION " (Lucene 10.4 indexes)");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kOk : kUsersMistake;
  } catch (const std::exception& e) {
    return report_error(e);
  }
  return exit_code;
}
