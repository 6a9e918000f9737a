// Ctrl-C (and SIGTERM) as a wish that the work asks about between two documents.
#pragma once

namespace postern::tool {

// While one lives, the first signal only marks the wish and makes descriptor() readable; the second
// one ends the process at once. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool wanted() const;
  // Becomes readable with the wish; -1 if the system has no pipes left.
  int descriptor() const;
};

}  // namespace postern::tool
