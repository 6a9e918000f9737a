#include "index_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "format.h"
#include "input/json_tree.h"

namespace postern::tool {

namespace {

double per_second(uint64_t count, double seconds) {
  return static_cast<double>(count) / std::max(seconds, 1e-9);
}

}  // namespace

std::string work_text(const IndexReport& report) {
  std::string text = counted(report.documents, "document");
  for (const auto& [count, what] :
       {std::pair(report.updates, "update"), std::pair(report.deletes, "delete"),
        std::pair(report.doc_values_updates, "doc values update")}) {
    if (count != 0) text += ", " + counted(count, what);
  }
  return text;
}

std::string text_report(const IndexReport& report, const std::string& out) {
  std::string text =
      fmt::format("{} in {}: {} documents/s, {:.1f} MB/s of text\n", work_text(report),
                  duration_text(report.seconds),
                  grouped(static_cast<uint64_t>(per_second(report.documents, report.seconds))),
                  per_second(report.text_bytes, report.seconds) / 1e6);
  if (report.refused != 0) text += fmt::format("{} refused\n", grouped(report.refused));
  const IndexSizes& index = report.index;
  text +=
      fmt::format("{}: {} in {}, {}\n", out, counted(index.documents - index.deleted, "document"),
                  counted(index.segments, "segment"), bytes_text(index.bytes));
  for (const auto& [name, bytes] : index.components) {
    text += fmt::format("  {:<28} {:>10}\n", name, bytes_text(bytes));
  }
  text += fmt::format("peak memory {}\n", bytes_text(report.peak_memory));
  return text;
}

std::string json_report(const IndexReport& report) {
  const auto counts = [](const auto& pairs) {
    std::string text;
    for (const auto& [name, count] : pairs) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", input::json_quote(name), count);
    }
    return fmt::format("{{{}}}", text);
  };
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? "null" : input::json_quote(text);
  };
  std::string schema = report.inferred_schema.empty() ? "null" : report.inferred_schema;
  std::replace(schema.begin(), schema.end(), '\n', ' ');
  const IndexSizes& index = report.index;
  return fmt::format(
      "{{\"documents\": {}, \"updates\": {}, \"deletes\": {}, \"doc_values_updates\": {}, "
      "\"refused\": {}, \"seconds\": {:.3f}, \"documents_per_second\": "
      "{:.1f}, "
      "\"mb_per_second\": {:.3f}, \"input_bytes\": {}, \"text_bytes\": {}, \"segments\": {}, "
      "\"index_documents\": {}, \"index_deleted\": {}, \"index_bytes\": {}, \"components\": {}, "
      "\"commit\": {}, \"flushes\": {}, \"peak_rss_bytes\": {}, \"interrupted\": {}, \"error\": "
      "{}, "
      "\"outcome\": {}, \"inferred_schema\": {}}}\n",
      report.documents, report.updates, report.deletes, report.doc_values_updates, report.refused,
      report.seconds, per_second(report.documents, report.seconds),
      per_second(report.text_bytes, report.seconds) / 1e6, report.input_bytes, report.text_bytes,
      index.segments, index.documents, index.deleted, index.bytes, counts(index.components),
      index.generation, counts(report.flushes), report.peak_memory, report.interrupted,
      text_or_null(report.error), text_or_null(report.outcome), schema);
}

}  // namespace postern::tool
