#include "index_info.h"

#include <algorithm>
#include <map>

#include "base/byte_reader.h"
#include "codec/file_names.h"
#include "postern/error.h"
#include "read/segment_reader.h"

namespace postern::tool {

namespace {

CommitInfo describe(const codec::Commit& commit) {
  CommitInfo info;
  info.file = codec::commit_file_name(commit.generation);
  info.generation = commit.generation;
  info.segments = commit.segments.size();
  info.documents = commit.total_documents();
  for (const codec::SegmentCommitInfo& segment : commit.segments) info.deleted += segment.del_count;
  info.user_data = commit.user_data;
  info.lucene_version = commit.version_written.to_string();
  return info;
}

std::vector<CommitInfo> older_commits(const Directory& directory, uint64_t newest) {
  std::vector<CommitInfo> commits;
  for (const std::string& name : directory.list()) {
    const auto generation = codec::parse_commit_file_name(name);
    if (!generation || *generation >= newest) continue;
    try {
      commits.push_back(describe(codec::read_commit(directory, *generation)));
    } catch (const Error&) {
      // `postern check` tells why.
    }
  }
  std::ranges::sort(commits, std::greater(), &CommitInfo::generation);
  return commits;
}

// The key's bytes begin with the name of its kind and the field (docs/formats/11 §3.1).
std::string sort_field(const std::string& key, const std::string& file) {
  ByteReader in({reinterpret_cast<const uint8_t*>(key.data()), key.size()}, file);
  in.read_string();
  return in.read_string();
}

SegmentInfoRow describe(const Directory& directory, const codec::SegmentCommitInfo& commit) {
  SegmentInfoRow row{commit, 0, {}};
  for (const std::string& file : commit.files()) row.bytes += directory.file_length(file);
  for (const std::string& key : commit.info.index_sort)
    row.sorted_by.push_back(sort_field(key, commit.info.name + ".si"));
  return row;
}

void add_fields(const Directory& directory, const codec::SegmentCommitInfo& commit,
                std::map<std::string, FieldRow>& fields) {
  read::SegmentReader segment(directory, commit);
  for (const codec::FieldInfo& field : segment.fields().fields) {
    FieldRow& row = fields[field.name];
    row.field = field;
    ++row.segments;
    const codec::TermsReader* terms = segment.terms();
    const codec::FieldTerms* its_terms = terms == nullptr ? nullptr : terms->field(field.name);
    if (its_terms == nullptr) continue;
    row.terms += its_terms->term_count();
    row.documents_with_terms += its_terms->doc_count();
  }
}

}  // namespace

IndexInfo inspect_index(const Directory& directory) {
  const std::optional<codec::Commit> commit = codec::read_latest_commit(directory);
  if (!commit) throw InvalidArgument("there is no index in " + directory.describe());
  IndexInfo info;
  info.commits = older_commits(directory, commit->generation);
  info.commits.insert(info.commits.begin(), describe(*commit));
  std::map<std::string, FieldRow> fields;
  for (const codec::SegmentCommitInfo& segment : commit->segments) {
    info.segments.push_back(describe(directory, segment));
    add_fields(directory, segment, fields);
  }
  for (auto& [name, row] : fields) info.fields.push_back(std::move(row));
  info.sizes = measure_index(directory);
  return info;
}

}  // namespace postern::tool
