// Several readers of one input: between them they get every line once, whole, and know where it
// stands.
#include "input/shared_input.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "input/line_reader.h"
#include "input/line_splitter.h"

namespace postern::input {
namespace {

LineRole role_of(std::string_view line) {
  if (line.empty()) return LineRole::kBlank;
  if (line.front() == '+') return LineRole::kWithNext;
  return line.front() == '!' ? LineRole::kAlone : LineRole::kDocument;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t feed = text.find('\n');
    lines.emplace_back(text.substr(0, feed));
    text.remove_prefix(feed == text.npos ? text.size() : feed + 1);
  }
  return lines;
}

// Lines of all lengths, some longer than a piece, blank ones, operations, pairs, with or without an
// end.
rc::Gen<std::string> any_text() {
  auto line = rc::gen::mapcat(rc::gen::inRange(0, 20), [](int kind) {
    int most = kind == 0 ? 300 : kind < 5 ? 1 : 30;
    auto text = rc::gen::container<std::string>(rc::gen::inRange('a', 'f'));
    return rc::gen::map(rc::gen::resize(most, text), [kind](std::string s) {
      return (kind == 7 ? "!" : kind > 16 ? "+" : "") + s;
    });
  });
  return rc::gen::apply(
      [](const std::vector<std::string>& lines, bool end) {
        std::string text;
        for (const std::string& l : lines) text += l + "\n";
        if (!end && !text.empty()) text.pop_back();
        return text;
      },
      rc::gen::container<std::vector<std::string>>(line), rc::gen::arbitrary<bool>());
}

RC_GTEST_PROP(LineSplitter, ReadersGetEveryLineOnceAndKnowItsNumber, ()) {
  const std::string text = *any_text();
  const size_t block = *rc::gen::inRange<size_t>(8, 100);
  const size_t piece = *rc::gen::inRange<size_t>(1, 120);
  const size_t readers = *rc::gen::inRange<size_t>(1, 5);
  auto splitter = std::make_shared<LineSplitter>(memory_byte_source(text, piece), block, role_of);
  std::vector<std::unique_ptr<LineReader>> parts;
  for (size_t i = 0; i < readers; ++i) {
    parts.push_back(
        std::make_unique<LineReader>(LineSplitter::open_part(splitter, {}), 1 << 20, block));
  }
  // Each reader in a thread of its own: an operation waits for the others.
  std::mutex mutex;
  std::map<uint64_t, std::string> got;
  std::map<uint64_t, size_t> reader_of;
  bool twice = false;
  {
    std::vector<std::jthread> threads;
    for (auto& part : parts) {
      threads.emplace_back([&] {
        while (auto line = part->next()) {
          std::lock_guard lock(mutex);
          twice |= !got.emplace(line->number, line->text).second;
          reader_of[line->number] = static_cast<size_t>(&part - parts.data());
        }
        part.reset();
      });
    }
  }
  RC_ASSERT(!twice);
  std::vector<std::string> lines;
  for (auto& [number, line] : got) {
    RC_ASSERT(number == lines.size() + 1);
    lines.push_back(line);
  }
  RC_ASSERT(lines == lines_of(text));
  for (uint64_t i = 1; i < lines.size(); ++i) {
    if (role_of(lines[i - 1]) != LineRole::kWithNext) continue;
    RC_ASSERT(reader_of[i] == reader_of[i + 1]);
    ++i;  // whatever the second line looks like
  }
}

TEST(LineSplitter, AnOperationComesWhenAllBeforeItIsDoneAndHoldsUpWhatFollows) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += (i % 10 == 9 ? "!" : "d") + std::to_string(i) + "\n";
  auto splitter = std::make_shared<LineSplitter>(memory_byte_source(text), 16, role_of);
  std::atomic<int> finished{0};  // lines whose work is over
  std::atomic<int> operations{0};
  std::atomic<bool> in_operation{false};
  auto work = [&] {
    LineReader reader(LineSplitter::open_part(splitter, {}), 1 << 20, 16);
    while (auto line = reader.next()) {
      if (line->text.front() == '!') {
        in_operation = true;
        EXPECT_EQ(finished.load(), static_cast<int>(line->number) - 1);
        std::this_thread::yield();
        EXPECT_EQ(finished.load(), static_cast<int>(line->number) - 1);
        in_operation = false;
        ++operations;
      } else {
        EXPECT_FALSE(in_operation.load()) << line->text;
      }
      ++finished;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  }
  EXPECT_EQ(finished, 300);
  EXPECT_EQ(operations, 30);
}

TEST(LineSplitter, WaitingForWhatIsEarlierEndsWhenItIsDone) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "d" + std::to_string(i) + "\n";
  auto splitter = std::make_shared<LineSplitter>(memory_byte_source(text), 16, role_of);
  std::atomic<uint64_t> finished{0};
  auto work = [&] {
    std::unique_ptr<ByteSource> part = LineSplitter::open_part(splitter, {});
    const ByteSource& mine = *part;
    LineReader reader(std::move(part), 1 << 20, 16);
    while (auto line = reader.next()) {
      if (line->number % 7 == 0) {
        splitter->wait_for_earlier(mine);
        EXPECT_GE(finished.load(), line->number - 1);
      }
      std::this_thread::yield();
      ++finished;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  }
  EXPECT_EQ(finished, 300U);
}

TEST(LineSplitter, AnOperationDoesNotWaitForAReaderThatStoppedAll) {
  auto splitter = std::make_shared<LineSplitter>(memory_byte_source("a\n!b\nc\n"), 4, role_of);
  LineReader stopped(LineSplitter::open_part(splitter, {}), 1 << 20, 4);
  EXPECT_EQ(stopped.next()->text, "a");
  std::jthread other([&] {
    LineReader reader(LineSplitter::open_part(splitter, {}), 1 << 20, 4);
    EXPECT_FALSE(reader.next());
  });
  splitter->stop();
}

class FailingBytes : public ByteSource {
 public:
  size_t read(std::span<char> to) override {
    if (reads_++ == 3) throw IoError("the disk is gone", EIO);
    std::fill(to.begin(), to.end(), '\n');
    return to.size();
  }
  uint64_t bytes_taken() const override { return 0; }

 private:
  int reads_ = 0;
};

TEST(LineSplitter, AReadErrorReachesOneReaderAndEndsAll) {
  auto splitter = std::make_shared<LineSplitter>(std::make_unique<FailingBytes>(), 8, role_of);
  std::atomic<int> errors{0};
  std::atomic<int> lines{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        LineReader reader(LineSplitter::open_part(splitter, {}), 1 << 20, 8);
        try {
          while (reader.next()) ++lines;
        } catch (const IoError&) {
          ++errors;
        }
      });
    }
  }
  EXPECT_EQ(errors, 1);
  EXPECT_EQ(lines, 24);
}

TEST(LineSplitter, StopEndsReadersBehindThePieceTheyHave) {
  auto splitter =
      std::make_shared<LineSplitter>(memory_byte_source("a\nb\nc\nd\ne\nf\n"), 4, role_of);
  LineReader reader(LineSplitter::open_part(splitter, {}), 1 << 20, 4);
  EXPECT_EQ(reader.next()->text, "a");
  splitter->stop();
  EXPECT_EQ(reader.next()->text, "b");
  EXPECT_FALSE(reader.next());
  LineReader other(LineSplitter::open_part(splitter, {}), 1 << 20, 4);
  EXPECT_FALSE(other.next());
}

TEST(LineSplitter, OnlyAMarkAtTheStartIsDropped) {
  std::string mark = "\xEF\xBB\xBF";
  std::string text = mark + "a\n" + mark + "b\n" + mark + "c\n";
  auto splitter = std::make_shared<LineSplitter>(memory_byte_source(text, 1), 8, role_of);
  LineReader first(LineSplitter::open_part(splitter, {}), 1 << 20, 8);
  EXPECT_EQ(first.next()->text, "a");
  LineReader second(LineSplitter::open_part(splitter, {}), 1 << 20, 8);
  EXPECT_EQ(second.next()->text, mark + "b");
  EXPECT_EQ(first.next()->text, mark + "c");
}

TEST(JsonLineRole, OperationsStandAloneWhateverTheySpell) {
  for (const char* line :
       {R"({"op":"commit"})", R"( { "op" : "flush"})", R"({"\u006fp": "commit"})", R"({"op":)",
        R"({"o\u0070":"add","doc":{}})", R"({"op":"delete_all"})", R"({"op": 5})"}) {
    EXPECT_EQ(json_line_role(line), LineRole::kAlone) << line;
  }
  for (const char* line :
       {R"({"op":"add","doc":{}})", R"({"op" : "add", "docs": []})", R"({"opx": 1})", "{}", "[1]",
        R"({"a\\b and more": 1})", R"({"id": "op"})", "{"}) {
    EXPECT_EQ(json_line_role(line), LineRole::kDocument) << line;
  }
  for (const char* line : {"", " ", " \t\r"}) EXPECT_EQ(json_line_role(line), LineRole::kBlank);
}

}  // namespace
}  // namespace postern::input
