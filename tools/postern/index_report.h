// The final report of `postern index`, for people and for machines (docs/command.md).
#pragma once

#include <string>

#include "index_job.h"

namespace postern::tool {

// "3 documents, 1 delete": what was done.
std::string work_text(const IndexReport& report);
std::string text_report(const IndexReport& report, const std::string& out);
// One JSON object and a line feed.
std::string json_report(const IndexReport& report);

}  // namespace postern::tool
