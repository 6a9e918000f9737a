#include "lookup_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "exit_codes.h"
#include "format.h"
#include "input/json_tree.h"
#include "output.h"
#include "postern/error.h"
#include "term_lookup.h"

namespace postern::tool {

namespace {

struct Arguments {
  std::string index;
  std::string field;
  std::vector<std::string> terms;
  uint32_t first = 3;
  bool json = false;
};

void print_text(const TermResult& result) {
  print("\"{}\": {}, {}\n", result.term, counted(result.documents, "document"),
        counted(result.occurrences, "occurrence"));
  for (const FoundDocument& document : result.first) {
    std::string values;
    for (const auto& [field, value] : document.stored) {
      values += fmt::format("  {}={}", field, input::quoted(value));
    }
    print("  document {} ({}x){}\n", document.number, document.frequency, values);
  }
}

std::string json_text(const TermResult& result) {
  std::string documents;
  for (const FoundDocument& document : result.first) {
    std::string values;
    for (const auto& [field, value] : document.stored) {
      values += fmt::format("{}[{}, {}]", values.empty() ? "" : ", ", input::json_quote(field),
                            input::json_quote(value));
    }
    documents +=
        fmt::format("{}{{\"doc\": {}, \"freq\": {}, \"stored\": [{}]}}",
                    documents.empty() ? "" : ", ", document.number, document.frequency, values);
  }
  return fmt::format("{{\"term\": {}, \"documents\": {}, \"occurrences\": {}, \"first\": [{}]}}\n",
                     input::json_quote(result.term), result.documents, result.occurrences,
                     documents);
}

int run(const Arguments& arguments) {
  const std::vector<TermResult> results =
      look_up(arguments.index, arguments.field, arguments.terms, arguments.first);
  for (const TermResult& result : results) {
    if (arguments.json) {
      put(json_text(result));
    } else {
      print_text(result);
    }
  }
  return kOk;
}

}  // namespace

void add_lookup_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("lookup", "Count the documents of terms in an index");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("--index", arguments->index, "Folder of the index")
      ->required()
      ->type_name("DIR");
  command->add_option("--field", arguments->field, "Field of the terms")
      ->required()
      ->type_name("F");
  command->add_option("--first", arguments->first, "Documents to show of each term")
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "One JSON object for each term");
  command
      ->add_option("TERM", arguments->terms,
                   "Terms as the index holds them: not analyzed, so in lower case for most text")
      ->required();
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace postern::tool
