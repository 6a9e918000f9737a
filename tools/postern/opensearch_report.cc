#include "opensearch_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "format.h"
#include "input/json_tree.h"
#include "opensearch/snapshot_repository.h"

namespace postern::tool {

namespace {

double per_second(uint64_t count, double seconds) {
  return static_cast<double>(count) / std::max(seconds, 1e-9);
}

// For a shell, within single quotes.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::string text_report(const OpenSearchReport& report) {
  std::string text =
      fmt::format("{} in {}: {} documents/s, {:.1f} MB/s of text\n",
                  counted(report.documents, "document"), duration_text(report.seconds),
                  grouped(static_cast<uint64_t>(per_second(report.documents, report.seconds))),
                  per_second(report.text_bytes, report.seconds) / 1e6);
  if (report.refused != 0) text += fmt::format("{} refused\n", grouped(report.refused));
  if (report.replaced != 0) {
    text += fmt::format("{} replaced by later ones with their ids\n", grouped(report.replaced));
  }
  if (report.elsewhere != 0) {
    text += fmt::format("{} passed over: they belong to other shards\n", grouped(report.elsewhere));
  }
  for (const ShardReport& shard : report.shards) {
    text +=
        fmt::format("shard {}: {} in {}, {}\n", shard.shard, counted(shard.documents, "document"),
                    counted(shard.segments, "segment"), bytes_text(shard.bytes));
  }
  return text + fmt::format("peak memory {}, of which {} for the table of ids\n",
                            bytes_text(report.peak_memory), bytes_text(report.id_table_bytes));
}

std::string json_report(const OpenSearchReport& report) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? "null" : input::json_quote(text);
  };
  std::string shards;
  for (const ShardReport& shard : report.shards) {
    shards += fmt::format("{}{{\"shard\": {}, \"documents\": {}, \"segments\": {}, \"bytes\": {}}}",
                          shards.empty() ? "" : ", ", shard.shard, shard.documents, shard.segments,
                          shard.bytes);
  }
  return fmt::format(
      "{{\"read\": {}, \"documents\": {}, \"refused\": {}, \"replaced\": {}, \"elsewhere\": {}, "
      "\"seconds\": {:.3f}, \"documents_per_second\": {:.1f}, \"mb_per_second\": {:.3f}, "
      "\"input_bytes\": {}, \"text_bytes\": {}, \"shards\": [{}], \"id_table_bytes\": {}, "
      "\"peak_rss_bytes\": {}, \"complete\": {}, \"interrupted\": {}, \"error\": {}, "
      "\"outcome\": {}}}\n",
      report.read, report.documents, report.refused, report.replaced, report.elsewhere,
      report.seconds, per_second(report.documents, report.seconds),
      per_second(report.text_bytes, report.seconds) / 1e6, report.input_bytes, report.text_bytes,
      shards, report.id_table_bytes, report.peak_memory, report.complete, report.interrupted,
      text_or_null(report.error), text_or_null(report.outcome));
}

std::string restore_calls(const std::string& repository, const std::string& index) {
  std::error_code unknown;
  std::filesystem::path location = std::filesystem::canonical(repository, unknown);
  if (unknown) location = repository;
  const std::string registration =
      fmt::format(R"({{"type":"fs","settings":{{"location":{},"readonly":true}}}})",
                  input::json_quote(location.string()));
  const std::string restore = fmt::format(R"({{"indices":{}}})", input::json_quote(index));
  constexpr std::string_view kCurl = "curl -H 'Content-Type: application/json'";
  constexpr std::string_view kNode = "http://localhost:9200/_snapshot/postern";
  return fmt::format(
      "{0} -X PUT '{1}' -d {2}\n{0} -X POST '{1}/{3}/_restore?wait_for_completion=true' -d {4}\n",
      kCurl, kNode, shell_quoted(registration), opensearch::kSnapshotName, shell_quoted(restore));
}

}  // namespace postern::tool
