#include "check/work.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace postern::check {

void run_all(const std::vector<std::function<void()>>& tasks, uint32_t threads,
             const std::function<void()>& tick) {
  if (threads <= 1) {
    for (const auto& task : tasks) {
      task();
      if (tick) tick();
    }
    return;
  }
  std::mutex mutex;  // guards the next three
  size_t next = 0;
  size_t working = std::min<size_t>(threads, tasks.size());
  std::exception_ptr error;
  std::condition_variable finished;

  auto work = [&] {
    std::unique_lock guard(mutex);
    while (next < tasks.size() && !error) {
      const auto& task = tasks[next++];
      guard.unlock();
      std::exception_ptr thrown;
      try {
        task();
      } catch (...) {
        thrown = std::current_exception();
      }
      guard.lock();
      if (thrown && !error) error = thrown;
    }
    --working;
    finished.notify_all();
  };
  std::vector<std::jthread> pool;
  const size_t wanted = working;
  for (size_t i = 0; i < wanted; ++i) {
    try {
      pool.emplace_back(work);
    } catch (const std::system_error&) {
      // Fewer threads do the same work.
      std::lock_guard guard(mutex);
      working -= wanted - i;
      break;
    }
  }
  if (pool.empty()) {
    working = 1;
    work();
  }
  {
    std::unique_lock guard(mutex);
    while (working != 0) {
      finished.wait_for(guard, std::chrono::milliseconds(100));
      if (!tick) continue;
      guard.unlock();
      tick();
      guard.lock();
    }
  }
  pool.clear();
  if (error) std::rethrow_exception(error);
}

}  // namespace postern::check
