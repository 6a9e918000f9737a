// Many threads on one writer: nothing lost, nothing twice, order kept, and an end to all waiting.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "index/test_index.h"
#include "store/fault_directory.h"

namespace postern::index {
namespace {

class WriterThreads : public testing::Test {
 protected:
  // Runs `work(thread)` in this many threads at once.
  template <class Work>
  static void run(int threads, Work&& work) {
    std::vector<std::jthread> running;
    for (int i = 0; i < threads; ++i) running.emplace_back([&work, i] { work(i); });
  }

  Document document(const std::string& id, const std::string& body) const {
    Document doc;
    doc.add_text(fields.id, id);
    doc.add_text(fields.body, body);
    return doc;
  }

  static std::string id(int thread, int number) {
    return std::to_string(thread) + "-" + std::to_string(number);
  }
  // Ids sorted, so that they can be compared whatever segment they are in.
  std::vector<std::string> sorted_live_ids() const {
    std::vector<std::string> ids = live_ids(*directory);
    std::ranges::sort(ids);
    return ids;
  }

  TestFields fields;
  std::unique_ptr<Directory> directory = memory_directory();
};

std::string words(std::mt19937& random, int most) {
  std::string text;
  for (int n = static_cast<int>(random() % static_cast<unsigned>(most)); n >= 0; --n)
    text += "w" + std::to_string(random() % 20'000) + " ";
  return text;
}

TEST_F(WriterThreads, EveryDocumentIsThereOnceWhateverEndsItsSegment) {
  constexpr int kThreads = 4;
  constexpr int kDocuments = 1500;
  std::atomic<int> flushed{0};
  WriterConfig config{.ram_buffer_mb = 0.5, .max_buffered_documents = 300};
  config.on_flush = [&](const FlushEvent& event) {
    flushed += static_cast<int>(event.documents - event.deleted);
  };
  std::vector<std::string> expected;
  {
    IndexWriter writer(*directory, config);
    std::atomic<uint64_t> largest{0};
    std::mutex mutex;
    std::set<uint64_t> numbers;
    run(kThreads, [&](int thread) {
      std::mt19937 random(static_cast<unsigned>(thread));
      uint64_t last = 0;
      for (int i = 0; i < kDocuments; ++i) {
        std::string name = id(thread, i);
        std::string body = words(random, 60);
        std::string too_long(32'767, 'x');
        Document doc = document(name, body);
        if (i % 50 == 17) doc.add_text(fields.id, too_long);  // refused half-way
        uint64_t number = 0;
        try {
          number = writer.add_document(doc);
        } catch (const InvalidDocument&) {
          EXPECT_EQ(i % 50, 17);
        }
        std::lock_guard lock(mutex);
        if (number != 0) {
          EXPECT_GT(number, last);
          EXPECT_TRUE(numbers.insert(number).second);
          last = number;
          expected.push_back(name);
        }
        if (i % 400 == 399) writer.commit();
        if (i % 700 == 350) writer.flush();
      }
    });
    writer.close();
  }
  std::ranges::sort(expected);
  EXPECT_EQ(sorted_live_ids(), expected);
  EXPECT_EQ(flushed.load(), static_cast<int>(expected.size()));
}

TEST_F(WriterThreads, AppendersKeepTheOrderOfTheirDocuments) {
  constexpr int kThreads = 3;
  WriterConfig config{.ram_buffer_mb = 0.3};
  {
    IndexWriter writer(*directory, config);
    std::atomic<bool> done{false};
    std::jthread commits([&] {
      while (!done) writer.commit();
    });
    run(kThreads, [&](int thread) {
      std::mt19937 random(static_cast<unsigned>(thread) + 100);
      for (int chunk = 0; chunk < 20; ++chunk) {
        IndexWriter::Appender appender(writer);
        for (int i = 0; i < 60; ++i) {
          std::string name = id(thread, 60 * chunk + i);
          std::string body = words(random, 40);
          if (i % 7 == 0) {
            std::string second = name + "b";
            std::vector<Document> block{document(name, body), document(second, body)};
            appender.add_documents(block);
          } else {
            appender.add_document(document(name, body));
          }
        }
      }
    });
    done = true;
    commits.join();
    writer.close();
  }
  std::map<int, int> last;
  int chunk_starts = 0;
  size_t count = 0;
  std::string before;
  for (const std::string& live : live_ids(*directory)) {
    ++count;
    if (live.back() == 'b') {
      EXPECT_EQ(live, before + "b") << "a block was torn";
      continue;
    }
    before = live;
    int thread = std::stoi(live);
    int number = std::stoi(live.substr(live.find('-') + 1));
    if (number % 60 == 0) {
      ++chunk_starts;
    } else {
      EXPECT_EQ(number, last[thread * 1000 + number / 60] + 1) << live;
    }
    last[thread * 1000 + number / 60] = number;
  }
  EXPECT_EQ(chunk_starts, kThreads * 20);
  EXPECT_EQ(count, static_cast<size_t>(kThreads * 20 * (60 + 9)));
}

TEST_F(WriterThreads, ACommitHoldsAllThatWasAddedBeforeItAndNoHalfBlocks) {
  IndexWriter writer(*directory, {.ram_buffer_mb = 0.2});
  std::atomic<bool> stop{false};
  std::atomic<int> added{0};
  std::jthread adding([&] {
    std::mt19937 random(5);
    for (int i = 0; !stop && i < 20'000; ++i) {
      std::string name = id(0, i);
      std::string body = words(random, 30);
      std::vector<Document> block{document(name, body), document(name, body)};
      writer.add_documents(block);
      added = i + 1;
    }
  });
  for (int round = 0; round < 15; ++round) {
    int before = added;
    while (added < before + 20 && added < 20'000) std::this_thread::yield();
    before = added;
    writer.commit();
    std::vector<std::string> live = live_ids(*directory);
    EXPECT_GE(live.size(), static_cast<size_t>(before) * 2);
    ASSERT_EQ(live.size() % 2, 0u);
    for (size_t i = 0; i < live.size(); ++i) {
      ASSERT_EQ(live[i], id(0, static_cast<int>(i / 2)));
    }
  }
  stop = true;
}

TEST_F(WriterThreads, BuffersTogetherStayInTheBudget) {
  constexpr double kBudget = 8;
  WriterConfig config{.ram_buffer_mb = kBudget};
  uint64_t most = 0;
  int flushes = 0;
  config.on_memory = [&](uint64_t bytes) { most = std::max(most, bytes); };
  config.on_flush = [&](const FlushEvent&) { ++flushes; };
  IndexWriter writer(*directory, config);
  run(4, [&](int thread) {
    std::mt19937 random(static_cast<unsigned>(thread));
    for (int i = 0; i < 6000; ++i) {
      std::string name = id(thread, i);
      std::string body = words(random, 100);
      writer.add_document(document(name, body));
    }
  });
  writer.close();
  EXPECT_GT(flushes, 4);
  EXPECT_GT(most, static_cast<uint64_t>(kBudget * 0.5e6));
  // Between two looks at the budget each buffer may double its table of terms: 20,000 of them.
  constexpr uint64_t kLargestStep = 1280 << 10;
  EXPECT_LT(most, static_cast<uint64_t>(kBudget * 1.25 * 1048576) + 4 * kLargestStep) << flushes;
}

TEST_F(WriterThreads, TheDocumentLimitHoldsExactly) {
  Limits limits;
  limits.max_documents = 1000;
  IndexWriter writer(*directory, {.limits = limits});
  std::atomic<int> added{0};
  std::atomic<int> refused{0};
  run(4, [&](int thread) {
    for (int i = 0; i < 400; ++i) {
      std::string name = id(thread, i);
      try {
        writer.add_document(document(name, "word"));
        ++added;
      } catch (const LimitExceeded& e) {
        ++refused;
        EXPECT_NE(std::string(e.what()).find("limit of 1000"), std::string::npos) << e.what();
      }
    }
  });
  EXPECT_EQ(added, 1000);
  EXPECT_EQ(refused, 600);
  writer.close();
  EXPECT_EQ(live_ids(*directory).size(), 1000u);
}

TEST_F(WriterThreads, RollbackEndsEverybodysWork) {
  {
    IndexWriter writer(*directory, {});
    writer.add_document(document("kept", "word"));
    writer.close();
  }
  for (int round = 0; round < 5; ++round) {
    IndexWriter writer(*directory, {.ram_buffer_mb = 0.1});
    std::atomic<int> adding{0};
    std::jthread rolls_back([&] {
      while (adding < 3) std::this_thread::yield();
      writer.rollback();
    });
    run(3, [&](int thread) {
      std::mt19937 random(static_cast<unsigned>(round * 10 + thread));
      ++adding;
      try {
        for (int i = 0;; ++i) {
          std::string name = id(thread, i);
          std::string body = words(random, 50);
          writer.add_document(document(name, body));
          if (i % 100 == 99 && thread == 0) writer.flush();
        }
      } catch (const InvalidArgument& e) {
        EXPECT_STREQ(e.what(), "the writer is closed");
      }
    });
    rolls_back.join();
    EXPECT_EQ(live_ids(*directory), std::vector<std::string>{"kept"});
  }
  IndexWriter again(*directory, {});  // the lock is free
}

// Each write fails in turn while three threads add and one commits: all of them must hear of it,
// and the last commit stays.
TEST_F(WriterThreads, AFailureStopsAllThreadsAndKeepsTheLastCommit) {
  for (int nth : {1, 5, 20, 60, 150}) {
    auto memory = memory_directory();
    store::FaultDirectory faulty(*memory);
    std::atomic<int> committed{0};  // documents known to be committed
    {
      IndexWriter writer(faulty, {.ram_buffer_mb = 0.1});
      writer.add_document(document("first", "word"));
      writer.commit();
      faulty.fail(store::FaultPoint::kAppend, static_cast<uint64_t>(nth), EIO, true);
      std::atomic<int> ended{0};
      run(3, [&](int thread) {
        std::mt19937 random(static_cast<unsigned>(nth * 10 + thread));
        try {
          for (int i = 0;; ++i) {
            std::string name = id(thread, i);
            std::string body = words(random, 50);
            writer.add_document(document(name, body));
            if (thread == 0 && i % 3 == 2) {
              writer.commit();
              committed = i + 1;
            }
          }
        } catch (const Error& e) {
          ++ended;
          EXPECT_NE(std::string(e.what()).find("Input/output error"), std::string::npos)
              << e.what();
        }
      });
      EXPECT_EQ(ended, 3);
    }
    std::vector<std::string> live = live_ids(*memory);
    EXPECT_TRUE(std::ranges::find(live, "first") != live.end());
    for (int i = 0; i < committed; ++i) {
      EXPECT_TRUE(std::ranges::find(live, id(0, i)) != live.end()) << nth << " " << i;
    }
    IndexWriter again(*memory, {});
  }
}

}  // namespace
}  // namespace postern::index
