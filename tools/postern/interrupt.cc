#include "interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>

namespace postern::tool {

namespace {

// Signal handlers reach only globals.
volatile std::sig_atomic_t interrupt_wanted = 0;
int pipe_ends[2] = {-1, -1};

void on_signal(int);

void set_handlers(bool ours) {
  struct sigaction action {};
  action.sa_handler = ours ? on_signal : SIG_DFL;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

void on_signal(int) {
  const int saved = errno;
  interrupt_wanted = 1;
  set_handlers(false);  // the next signal, of either kind, ends the process
  if (pipe_ends[1] >= 0) {
    [[maybe_unused]] const ssize_t n = ::write(pipe_ends[1], "x", 1);
  }
  errno = saved;
}

}  // namespace

Interrupt::Interrupt() {
  if (::pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0) pipe_ends[0] = pipe_ends[1] = -1;
  set_handlers(true);
}

Interrupt::~Interrupt() {
  set_handlers(false);
  for (int& end : pipe_ends) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  interrupt_wanted = 0;
}

bool Interrupt::wanted() const { return interrupt_wanted != 0; }
int Interrupt::descriptor() const { return pipe_ends[0]; }

}  // namespace postern::tool
