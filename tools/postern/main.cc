// The `postern` command: subcommands, and what an error means to the caller of the program.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>

#include "check_command.h"
#include "exit_codes.h"
#include "format.h"
#include "index_command.h"
#include "info_command.h"
#include "lookup_command.h"
#include "opensearch_command.h"
#include "output.h"

namespace {

// A standard stream that the caller closed would be the next file opened here: messages would land
// in the index. Nobody hears what is said to a closed one, and reading from one fails.
void occupy_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // Lower ones are taken, so this is the number it gets.
    if (::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDWR) != descriptor) ::_exit(3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace postern::tool;
  occupy_standard_streams();
  // A reader of our output that goes away must not end an index half-way.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Builds Apache Lucene 10.4 indexes without a JVM.", "postern");
  app.set_version_flag("--version", "postern " POSTERN_VERSION " (Lucene 10.4 indexes)");
  app.require_subcommand(1);
  int exit_code = kOk;
  add_index_command(app, exit_code);
  add_lookup_command(app, exit_code);
  add_check_command(app, exit_code);
  add_info_command(app, exit_code);
  add_opensearch_command(app, exit_code);
  for (CLI::App* command : app.get_subcommands({})) {
    command->set_version_flag("--version", "postern " POSTERN_VERSION " (Lucene 10.4 indexes)");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::ostringstream answer;
    std::ostringstream complaint;
    const int code = app.exit(e, answer, complaint) == 0 ? kOk : kUsersMistake;
    put(answer.str());
    tell(complaint.str());
    return finish_output(code);
  } catch (const std::exception& e) {
    return report_error(e);
  }
  return finish_output(exit_code);
}
