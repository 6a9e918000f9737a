// The final report of `postern opensearch build`, for people and for machines (docs/command.md),
// and what to do with a repository.
#pragma once

#include <string>

#include "opensearch_job.h"

namespace postern::tool {

std::string text_report(const OpenSearchReport& report);
// One JSON object and a line feed.
std::string json_report(const OpenSearchReport& report);
// Two calls of OpenSearch's API, as curl makes them: the repository, and the restore.
std::string restore_calls(const std::string& repository, const std::string& index);

}  // namespace postern::tool
