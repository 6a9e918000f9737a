#include "opensearch/bulk_input.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "postern/error.h"

namespace postern::opensearch {
namespace {

// Each document as "id|routing|c|source", refusals as "! message".
std::vector<std::string> read_all(const std::string& text, BulkOptions options,
                                  size_t block = input::LineReader::kBlock, size_t piece = 7) {
  BulkInput input("in", input::memory_byte_source(text, piece), std::move(options), block);
  const auto part = input.open();
  std::vector<std::string> result;
  while (true) {
    try {
      const auto document = part->source().next();
      if (!document) return result;
      result.push_back(std::string(document->id) + "|" +
                       (document->has_routing ? std::string(document->routing) : "-") + "|" +
                       (document->create ? "c" : "i") + "|" + std::string(document->source));
    } catch (const input::RefusedInput& e) {
      result.push_back(std::string("! ") + e.what());
    }
  }
}

std::vector<std::string> read_bulk(const std::string& text) {
  return read_all(text, {.index = "docs"});
}

using Lines = std::vector<std::string>;

TEST(BulkSource, ActionsAndTheirDocuments) {
  EXPECT_EQ(read_bulk("{\"index\":{\"_id\":\"a\"}}\n{\"x\":1}\n"
                      "{ \"create\" : {\"_index\":\"docs\",\"_id\":7,\"routing\":\"r\"} }\r\n"
                      "  {\"x\":2} \r\n"
                      "\n"
                      "{\"index\":{}}\n{}"),
            (Lines{"a|-|i|{\"x\":1}", "7|r|c|  {\"x\":2} ", "|-|i|{}"}));
}

// As a node takes them (asked).
TEST(BulkSource, ParametersAsTheNodeTakesThem) {
  EXPECT_EQ(
      read_bulk("{\"index\":{\"_id\":null}}\n{}\n{\"index\":{\"_id\":7.50}}\n{}\n"
                "{\"index\":{\"_id\":true}}\n{}\n{\"index\":{\"_id\":\"e\",\"routing\":\"\"}}\n{}\n"
                "{\"index\":{\"_id\":\"n\",\"routing\":5}}\n{}\n"
                "{\"index\":{\"_id\":\"\\u00e9\\n\"}}\n{}\n"),
      (Lines{"|-|i|{}", "7.50|-|i|{}", "true|-|i|{}", "e|-|i|{}", "n|5|i|{}",
             "\xC3\xA9\n|-|i|{}"}));
}

TEST(BulkSource, WhatCannotBeBuiltIsRefusedWithItsLine) {
  EXPECT_EQ(read_bulk("{\"delete\":{\"_id\":\"a\"}}\n"
                      "{\"update\":{\"_id\":\"a\"}}\n{\"doc\":{}}\n"
                      "{\"index\":{\"_index\":\"other\"}}\n{}\n"
                      "{\"index\":{\"_id\":\"a\",\"version\":3}}\n{}\n"
                      "{\"index\":{\"_id\":\"a\",\"_id\":\"b\"}}\n{}\n"
                      "{\"index\":{\"_id\":\"\"}}\n{}\n"
                      "{\"index\":{\"_id\":[1]}}\n{}\n"
                      "{\"index\":{\"_id\":\"z\"}}\n{}\n"
                      "{\"index\":{\"_id\":\"end\"}}\n"),
            (Lines{"! in line 1: \"delete\" actions cannot be built, only index and create",
                   "! in line 2: \"update\" actions cannot be built, only index and create",
                   "! in line 4: the action is for the index \"other\", not \"docs\"",
                   "! in line 6: the action's parameter \"version\" is not supported",
                   "! in line 8: repeated parameter \"_id\"", "! in line 10: the id is empty",
                   "! in line 12: \"_id\" must be a string or a number", "z|-|i|{}",
                   "! in line 16: the action's document is missing"}));
}

TEST(BulkSource, WhatIsNoActionEndsTheInput) {
  for (const char* line :
       {"{\"x\":1}", "{}", "[]", "{\"index\":1}", "{\"index\":{},\"x\":1}", "x", "{\"index\":{}",
        "{\"index\":{}} x", "\"index\"", "{\"index\":{\"_id\":\"\xFF\"}}"}) {
    EXPECT_THROW(read_bulk("{\"index\":{}}\n{}\n" + std::string(line) + "\n{}\n"), InvalidArgument)
        << line;
  }
}

TEST(BulkSource, JsonLinesHaveTheirIdsInFields) {
  const BulkOptions options{
      .format = InputFormat::kJsonLines, .id_field = "meta.id", .routing_field = "user"};
  EXPECT_EQ(
      read_all("{\"meta\":{\"id\":\"a\"},\"user\":\"u\"}\n \n{\"user\":3,\"meta.id\":12}\r\n"
               "{\"meta\":{\"id\":\"b\"},\"user\":null}\n{\"meta\":{}}\n{\"meta\":{\"id\":[1]}}\n"
               "{\"meta\":{\"id\":\"c\"},\"user\":{\"a\":1}}\n[1]\n{\"meta\":\n",
               options),
      (Lines{"a|u|i|{\"meta\":{\"id\":\"a\"},\"user\":\"u\"}", "12|3|i|{\"user\":3,\"meta.id\":12}",
             "b|-|i|{\"meta\":{\"id\":\"b\"},\"user\":null}",
             "! in line 5, field \"meta.id\": the document has no id",
             "! in line 6: \"id\" must be a string or a number",
             "! in line 7: \"user\" must be a string or a number",
             "! in line 8: a line must be a JSON object",
             read_all("{\"meta\":\n", options).front().replace(10, 1, "9")}));
}

TEST(BulkInput, TheFirstLineSaysWhatItIs) {
  EXPECT_EQ(format_of("{\"index\":{}}"), InputFormat::kBulk);
  EXPECT_EQ(format_of(" {\"create\": {\"_id\": \"1\", \"routing\": \"r\"}}\r"), InputFormat::kBulk);
  EXPECT_EQ(format_of("{\"delete\":{\"_id\":\"1\"}}"), InputFormat::kBulk);
  EXPECT_EQ(format_of("{\"\\u0069ndex\":{}}"), InputFormat::kBulk);
  for (const char* line : {"{\"index\":1}", "{\"index\":{\"name\":\"x\"}}", "{\"x\":{}}", "{}",
                           "{\"index\":{},\"x\":1}", "{\"index\":{}", "nonsense"}) {
    EXPECT_EQ(format_of(line), InputFormat::kJsonLines) << line;
  }
  EXPECT_EQ(format_of(" \r"), InputFormat::kUnknown);
}

TEST(BulkInput, AnInputIsLookedAtWhateverItBeginsWith) {
  const BulkOptions unknown{.format = InputFormat::kUnknown, .index = "docs"};
  const std::string bulk = "\xEF\xBB\xBF\n\r\n{\"index\":{\"_id\":\"a\"}}\n{\"x\":1}\n";
  EXPECT_EQ(read_all(bulk, unknown), (Lines{"a|-|i|{\"x\":1}"}));
  EXPECT_EQ(read_all("\n{\"x\":1}\n", unknown), (Lines{"|-|i|{\"x\":1}"}));
  EXPECT_EQ(read_all("{\"x\":1}", unknown), (Lines{"|-|i|{\"x\":1}"}));
  EXPECT_EQ(read_all("", unknown), Lines{});
  EXPECT_EQ(read_all("\n\n", unknown), Lines{});
  EXPECT_EQ(read_all("{\"x\":\"" + std::string(200000, 'y') + "\"}\n", unknown).size(), 1U);
}

TEST(BulkInput, AnActionAmongDocumentsIsNoDocumentUnlessItWasSaid) {
  const std::string text = "{\"x\":1}\n{\"index\":{\"_id\":\"a\"}}\n";
  EXPECT_EQ(read_all(text, {.format = InputFormat::kUnknown}).back().substr(0, 12), "! in line 2:");
  EXPECT_EQ(read_all(text, {.format = InputFormat::kJsonLines}).back(),
            "|-|i|{\"index\":{\"_id\":\"a\"}}");
}

TEST(BulkInput, ActionsHaveNoUseForIdFields) {
  EXPECT_THROW(read_all("{\"index\":{}}\n{}\n",
                        {.format = InputFormat::kUnknown, .index = "docs", .id_field = "x"}),
               InvalidArgument);
}

// Whatever the pieces, a document stays with its action, and every line has its number.
RC_GTEST_PROP(BulkInput, SeveralReadersGetEveryDocumentOnce, ()) {
  const auto sizes = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 120));
  const auto block = *rc::gen::inRange<size_t>(16, 200);
  const auto piece = *rc::gen::inRange<size_t>(1, 200);
  std::string text;
  std::map<uint64_t, std::string> expected;
  uint64_t line = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] % 10 == 3) {
      text += "\n";
      ++line;
    }
    if (sizes[i] % 10 == 4) {
      text += "{\"delete\":{\"_id\":\"x\"}}\n";
      expected[++line] = "!";
    }
    const std::string source =
        "{\"v\":\"" + std::string(static_cast<size_t>(sizes[i]), 'y') + "\"}";
    text += "{\"index\":{\"_id\":\"" + std::to_string(i) + "\"}}\n" + source + "\n";
    expected[line + 1] = std::to_string(i) + source;
    line += 2;
  }
  const BulkInput input("in", input::memory_byte_source(text, piece), {.index = "docs"}, block);
  std::mutex mutex;
  std::map<uint64_t, std::string> got;
  bool twice = false;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        const auto part = input.open();
        while (true) {
          std::string entry = "!";
          try {
            const auto document = part->source().next();
            if (!document) return;
            entry = std::string(document->id) + std::string(document->source);
          } catch (const input::RefusedInput&) {
          }
          std::lock_guard lock(mutex);
          // The line of a document is told behind its action.
          twice |= !got.emplace(part->source().place().line, entry).second;
        }
      });
    }
  }
  RC_ASSERT(!twice);
  RC_ASSERT(got == expected);
}

}  // namespace
}  // namespace postern::opensearch
