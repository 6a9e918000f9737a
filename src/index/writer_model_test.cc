// Many threads add, update, delete and commit at random; what is left must be what a list of the
// operations in the order of their sequence numbers leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "index/test_content.h"
#include "index/test_index.h"

namespace postern::index {
namespace {

struct Operation {
  enum class Kind : uint8_t { kAdd, kUpdate, kDelete, kSetNumber, kDeleteAll };
  uint64_t number = 0;
  Kind kind = Kind::kAdd;
  std::string id{};
  std::string name{};  // of the new document; unique
  int64_t n = 0;
};

// The live documents that operations leave, sorted.
std::vector<LiveDocument> outcome(std::vector<Operation> operations,
                                  std::vector<LiveDocument> documents) {
  std::ranges::sort(operations, {}, &Operation::number);
  for (const Operation& operation : operations) {
    using Kind = Operation::Kind;
    const auto has_id = [&](const LiveDocument& doc) { return doc.stored[0] == operation.id; };
    if (operation.kind == Kind::kDelete || operation.kind == Kind::kUpdate)
      std::erase_if(documents, has_id);
    if (operation.kind == Kind::kAdd || operation.kind == Kind::kUpdate)
      documents.push_back({{operation.id, operation.name}, {{"n", operation.n}}});
    if (operation.kind == Kind::kSetNumber) {
      for (LiveDocument& doc : documents) {
        if (has_id(doc)) doc.numbers["n"] = operation.n;
      }
    }
    if (operation.kind == Kind::kDeleteAll) documents.clear();
  }
  std::ranges::sort(documents);
  return documents;
}

// For messages.
std::string history(std::vector<Operation> operations) {
  std::ranges::sort(operations, {}, &Operation::number);
  std::string text;
  for (const Operation& operation : operations) {
    static constexpr const char* kNames[] = {"add", "update", "delete", "set", "delete all"};
    text += "\n" + std::to_string(operation.number) + " " +
            kNames[static_cast<size_t>(operation.kind)] + " " + operation.id + " " +
            operation.name + " " + std::to_string(operation.n);
  }
  return text;
}

class WriterModel : public testing::TestWithParam<uint32_t> {
 protected:
  // What `operations` random calls of one thread did.
  std::vector<Operation> work(IndexWriter& writer, uint32_t seed, int operations, bool commits) {
    std::mt19937 random(seed);
    FieldDefinition id{"id", stored_keyword()};
    FieldDefinition name{"name", stored_keyword()};
    FieldType numeric;
    numeric.doc_values = DocValuesType::kNumeric;
    FieldDefinition n{"n", numeric};
    const std::string too_long(32'767, 'x');
    std::vector<Operation> done;
    uint64_t last = 0;
    for (int i = 0; i < operations; ++i) {
      using Kind = Operation::Kind;
      Operation operation{.id = std::to_string(random() % 40),
                          .name = std::to_string(seed) + "-" + std::to_string(i),
                          .n = static_cast<int64_t>(random() % 1000)};
      Document doc;
      doc.add_text(id, operation.id);
      doc.add_text(name, operation.name);
      doc.add_long(n, operation.n);
      const Term term{"id", operation.id};
      const auto choice = static_cast<uint32_t>(random() % 100);
      if (choice < 3) {  // refused: as if it had not been
        doc.add_text(id, too_long);
        EXPECT_THROW(writer.update_document(term, doc), InvalidDocument);
        continue;
      }
      if (choice < 40) {
        operation.kind = Kind::kUpdate;
        operation.number = writer.update_document(term, doc);
      } else if (choice < 65) {
        operation.number = writer.add_document(doc);
      } else if (choice < 80) {
        operation.kind = Kind::kDelete;
        operation.number = writer.delete_documents({&term, 1});
      } else if (choice < 95) {
        operation.kind = Kind::kSetNumber;
        const DocValuesUpdate update{"n", operation.n};
        operation.number = writer.update_doc_values(term, {&update, 1});
      } else if (choice == 95 && random() % 20 == 0) {
        operation.kind = Kind::kDeleteAll;
        operation.number = writer.delete_all();
      } else if (choice < 98) {
        writer.flush();
        continue;
      } else if (commits) {
        writer.commit();
        continue;
      } else {
        continue;
      }
      EXPECT_GT(operation.number, last) << history(done) << history({operation});
      last = operation.number;
      done.push_back(std::move(operation));
    }
    return done;
  }
};

TEST_P(WriterModel, ThreadsLeaveWhatTheirOperationsInOrderLeave) {
  constexpr int kRounds = 6;
  constexpr int kThreads = 4;
  constexpr int kOperations = 150;
  std::unique_ptr<Directory> directory = memory_directory();
  std::mt19937 random(GetParam());
  std::vector<LiveDocument> committed;
  for (int round = 0; round < kRounds; ++round) {
    WriterConfig config{.ram_buffer_mb = 4};
    if (random() % 2 == 0) config.max_buffered_documents = static_cast<uint32_t>(2 + random() % 20);
    config.use_compound_file = random() % 2 == 0;
    if (random() % 3 == 0) config.ram_buffer_mb = 0.05;
    IndexWriter writer(*directory, config);
    const bool takes_back = random() % 4 == 0;
    std::vector<Operation> all;
    std::mutex mutex;
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, seed = static_cast<uint32_t>(random())] {
          std::vector<Operation> done = work(writer, seed, kOperations, !takes_back);
          std::lock_guard lock(mutex);
          std::ranges::move(done, std::back_inserter(all));
        });
      }
    }
    if (takes_back) {
      writer.rollback();
    } else {
      committed = outcome(all, std::move(committed));
      writer.close();
    }
    std::vector<LiveDocument> got = live_content(*directory);
    std::ranges::sort(got);
    ASSERT_EQ(got, committed) << "seed " << GetParam() << " round " << round << history(all);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, WriterModel, testing::Range(1u, 9u));

// Each commit holds just the operations with numbers up to its own, which lies between those of the
// operations around it.
TEST(WriterModelCommits, ACommitHoldsAPrefixOfTheOperations) {
  constexpr int kOperations = 1200;
  for (uint32_t seed : {1u, 2u}) {
    std::unique_ptr<Directory> directory = memory_directory();
    IndexWriter writer(*directory, {.ram_buffer_mb = 0.2});
    FieldDefinition id{"id", stored_keyword()};
    std::atomic<int> operations{0};
    std::atomic<int> allowed{0};  // so that no thread runs ahead of the commits
    std::mutex mutex;
    std::map<std::string, std::pair<uint64_t, uint64_t>> lives;  // numbers of add and delete
    std::vector<std::jthread> threads;
    for (uint32_t thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&, thread] {
        std::mt19937 random(seed * 10 + thread);
        std::vector<std::string> mine;
        for (int i = 0; operations.fetch_add(1) < kOperations; ++i) {
          for (int now = allowed.load(); operations.load() > now + 3; now = allowed.load())
            allowed.wait(now);
          std::string name = std::to_string(thread) + "-" + std::to_string(i);
          Document doc;
          doc.add_text(id, name);
          const uint64_t added = writer.add_document(doc);
          {
            std::lock_guard lock(mutex);
            lives[name] = {added, UINT64_MAX};
          }
          mine.push_back(std::move(name));
          if (random() % 3 == 0) {
            const std::string& gone = mine[random() % mine.size()];
            const Term term{"id", gone};
            const uint64_t deleted = writer.delete_documents({&term, 1});
            std::lock_guard lock(mutex);
            lives[gone].second = std::min(lives[gone].second, deleted);
          }
        }
      });
    }
    std::vector<std::vector<std::string>> commits;
    while (allowed.load() < kOperations) {
      allowed += kOperations / 10;
      allowed.notify_all();
      if (writer.commit()) commits.push_back(live_ids(*directory));
    }
    threads.clear();
    writer.close();
    for (const auto& names : commits) {
      const std::set<std::string> live(names.begin(), names.end());
      // The commit's number is above those of its documents and of deletes it has felt, and below
      // the others.
      uint64_t low = 0;
      uint64_t high = UINT64_MAX;
      for (const auto& [name, numbers] : lives) {
        const auto& [added, deleted] = numbers;
        if (live.contains(name)) {
          low = std::max(low, added);
          high = std::min(high, deleted);
        }
      }
      for (const auto& [name, numbers] : lives) {
        if (live.contains(name)) continue;
        const auto& [added, deleted] = numbers;  // not yet, or not any more
        if (added > low) {
          high = std::min(high, added);
        } else {
          EXPECT_NE(deleted, UINT64_MAX) << name << " is missing";
          low = std::max(low, deleted);
        }
      }
      EXPECT_LT(low, high) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace postern::index
