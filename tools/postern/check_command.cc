#include "check_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "check/index_check.h"
#include "exit_codes.h"
#include "format.h"
#include "input/json_tree.h"
#include "open_index.h"
#include "output.h"

namespace postern::tool {

namespace {

struct Arguments {
  std::string index;
  check::CheckOptions options{.threads = std::max(1u, std::thread::hardware_concurrency()),
                              .progress = {}};
  bool json = false;
  bool quiet = false;
};

// ("stored_values", 1234) -> "1,234 stored values".
std::string count_text(const std::pair<std::string, uint64_t>& count) {
  std::string name = count.first;
  std::ranges::replace(name, '_', ' ');
  return fmt::format("{} {}", grouped(count.second), name);
}

std::string place_text(const check::Problem& problem) {
  return problem.segment.empty() ? problem.part
                                 : fmt::format("segment {}, {}", problem.segment, problem.part);
}

void print_text(const Arguments& arguments, const check::IndexReport& report) {
  if (!arguments.quiet) {
    if (report.generation != 0) {
      uint64_t documents = 0, deleted = 0;
      for (const check::SegmentReport& segment : report.segments) {
        documents += segment.documents;
        deleted += segment.deleted;
      }
      print("{}: commit {}, {}, {}, {} deleted\n", arguments.index, report.generation,
            counted(report.segments.size(), "segment"), counted(documents, "document"),
            grouped(deleted));
    }
    for (const check::SegmentReport& segment : report.segments) {
      print("  {}: {}, {} deleted, {}\n", segment.name, counted(segment.documents, "document"),
            grouped(segment.deleted), bytes_text(segment.bytes));
      std::string counts;
      for (const auto& count : segment.counts) {
        if (count.second != 0) counts += (counts.empty() ? "" : ", ") + count_text(count);
      }
      if (!counts.empty()) print("    {}\n", counts);
    }
    for (const std::string& note : report.notes) print("note: {}\n", printable(note));
  }
  for (const check::Problem& problem : report.problems) {
    print("{}: {}: {}\n", problem.unsupported ? "not supported" : "problem",
          printable(place_text(problem)), printable(problem.message));
  }
  if (!report.clean()) {
    print("{}\n", counted(report.problems.size(), "problem"));
  } else if (!arguments.quiet) {
    print("clean\n");
  }
}

std::string segment_json(const check::SegmentReport& segment) {
  std::string text = fmt::format(
      "{{\"name\": {}, \"documents\": {}, \"deleted\": {}, \"bytes\": {}",
      input::json_quote(segment.name), segment.documents, segment.deleted, segment.bytes);
  for (const auto& [name, count] : segment.counts) text += fmt::format(", \"{}\": {}", name, count);
  return text + "}";
}

std::string problem_json(const check::Problem& problem) {
  return fmt::format("{{\"segment\": {}, \"part\": {}, \"unsupported\": {}, \"message\": {}}}",
                     problem.segment.empty() ? "null" : input::json_quote(problem.segment),
                     input::json_quote(problem.part), problem.unsupported,
                     input::json_quote(valid_utf8(problem.message)));
}

template <class List, class Text>
std::string joined(const List& list, Text text) {
  std::string out;
  for (const auto& item : list) out += (out.empty() ? "" : ", ") + text(item);
  return out;
}

void print_json(const check::IndexReport& report) {
  print(
      "{{\"clean\": {}, \"commit\": {}, \"segments\": [{}], \"problems\": [{}], "
      "\"notes\": [{}]}}\n",
      report.clean(), report.generation, joined(report.segments, segment_json),
      joined(report.problems, problem_json), joined(report.notes, [](const std::string& note) {
        return input::json_quote(valid_utf8(note));
      }));
}

int exit_code_of_report(const check::IndexReport& report) {
  if (report.clean()) return kOk;
  return std::ranges::all_of(report.problems, &check::Problem::unsupported) ? kUsersMistake
                                                                            : kCorruptIndex;
}

int run(Arguments& arguments) {
  const std::unique_ptr<Directory> directory = open_existing(arguments.index);
  const bool show = !arguments.quiet && ::isatty(STDERR_FILENO) == 1;
  if (show) {
    arguments.options.progress = [](uint64_t done, uint64_t planned) {
      if (planned == 0) return;
      tell(
          fmt::format("\r\033[Kchecking: {:.1f} % of {}",
                      100 * std::min(1.0, static_cast<double>(done) / static_cast<double>(planned)),
                      bytes_text(planned)));
    };
  }
  const check::IndexReport report = check::check_index(*directory, arguments.options);
  if (show) tell("\r\033[K");
  if (arguments.json) {
    print_json(report);
  } else {
    print_text(arguments, report);
  }
  return exit_code_of_report(report);
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Find out whether an index is sound");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("DIR", arguments->index, "Folder of the index")->required();
  command
      ->add_option("--threads", arguments->options.threads,
                   "Parts of segments that are checked at once; all cores if not given")
      ->check(CLI::Range(1u, 1024u))
      ->type_name("N");
  command->add_flag("--checksums", arguments->options.checksums_only,
                    "Only the checksums of all files, and the commit");
  command->add_flag("--json", arguments->json, "Print the report as one JSON object");
  command->add_flag("--quiet", arguments->quiet, "Only what is wrong; no progress");
  command->footer(
      "Exit codes: 0 clean, 1 no index, or one that this version cannot vouch for, 2 "
      "something is wrong,\n3 reading failed.");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace postern::tool
