#include "index_sizes.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "codec/compound.h"
#include "codec/segment_commit.h"

namespace postern::tool {

namespace {

std::string_view component_of(std::string_view file) {
  const size_t dot = file.rfind('.');
  const std::string_view extension = dot == file.npos ? "" : file.substr(dot + 1);
  if (extension == "doc") return "postings: documents";
  if (extension == "pos") return "postings: positions";
  if (extension == "pay") return "postings: offsets, payloads";
  if (extension == "tim" || extension == "tip" || extension == "tmd" || extension == "psm") {
    return "terms dictionary";
  }
  if (extension == "fdt" || extension == "fdx" || extension == "fdm") return "stored fields";
  if (extension == "tvd" || extension == "tvx" || extension == "tvm") return "term vectors";
  if (extension == "nvd" || extension == "nvm") return "norms";
  if (extension == "dvd" || extension == "dvm") return "doc values";
  if (extension == "kdd" || extension == "kdi" || extension == "kdm") return "points";
  if (extension == "vec" || extension == "vemf" || extension == "vex" || extension == "vem") {
    return "vectors";
  }
  if (extension == "liv") return "deleted documents";
  return "segment information";
}

}  // namespace

IndexSizes measure_index(const Directory& directory) {
  IndexSizes sizes;
  const std::optional<codec::Commit> commit = codec::read_latest_commit(directory);
  if (!commit) return sizes;
  sizes.generation = commit->generation;
  sizes.segments = commit->segments.size();
  std::map<std::string_view, uint64_t> components;
  for (const std::string& file : commit->files()) {
    const uint64_t length = directory.file_length(file);
    sizes.bytes += length;
    if (!file.ends_with(".cfs")) components[component_of(file)] += length;
  }
  for (const codec::SegmentCommitInfo& segment : commit->segments) {
    sizes.documents += segment.info.max_doc;
    sizes.deleted += segment.del_count;
    if (!segment.info.compound) continue;
    const codec::CompoundReader inner(directory, segment.info.name, segment.info.id);
    uint64_t rest = directory.file_length(segment.info.name + ".cfs");
    for (const std::string& file : inner.list()) {
      const uint64_t length = inner.file_length(file);
      components[component_of(file)] += length;
      rest -= std::min(rest, length);
    }
    components["segment information"] += rest;  // header, footer and padding of the compound file
  }
  for (const auto& [name, bytes] : components) {
    if (bytes != 0) sizes.components.emplace_back(name, bytes);
  }
  std::stable_sort(sizes.components.begin(), sizes.components.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sizes;
}

}  // namespace postern::tool
