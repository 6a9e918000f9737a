// Independent pieces of work on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace postern::check {

// Runs all tasks, the first ones first, on `threads` threads. Meanwhile the calling thread calls
// `tick` (may be empty) about ten times a second; with one thread it does the work itself, and
// calls it after each task. The first exception of a task is rethrown when those that have begun
// are done; the others are left out.
void run_all(const std::vector<std::function<void()>>& tasks, uint32_t threads,
             const std::function<void()>& tick);

}  // namespace postern::check
