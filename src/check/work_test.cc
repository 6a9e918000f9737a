#include "check/work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace postern::check {
namespace {

TEST(RunAll, EveryTaskRunsOnce) {
  for (uint32_t threads : {0u, 1u, 2u, 5u, 100u}) {
    std::vector<std::atomic<int>> ran(37);
    std::vector<std::function<void()>> tasks;
    for (auto& count : ran) tasks.push_back([&count] { ++count; });
    run_all(tasks, threads, [] {});
    for (auto& count : ran) EXPECT_EQ(1, count);
  }
  run_all({}, 4, {});
}

TEST(RunAll, TheFirstExceptionIsPassedOn) {
  std::vector<std::function<void()>> tasks = {[] { throw std::runtime_error("first"); },
                                              [] { throw std::runtime_error("second"); }};
  for (uint32_t threads : {1u, 3u}) {
    EXPECT_THROW(run_all(tasks, threads, [] {}), std::runtime_error);
  }
}

TEST(RunAll, NothingBeginsAfterAnException) {
  std::atomic<int> ran = 0;
  std::vector<std::function<void()>> tasks = {[] { throw std::runtime_error("stop"); },
                                              [&] { ++ran; }};
  EXPECT_THROW(run_all(tasks, 1, {}), std::runtime_error);
  EXPECT_EQ(0, ran);
}

}  // namespace
}  // namespace postern::check
