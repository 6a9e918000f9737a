#include "check/commit_check.h"

#include <algorithm>
#include <set>

#include "codec/file_names.h"

namespace postern::check {
namespace {

constexpr const char* kPart = "commit";

// Files that older commits still need; they are read like the newest one.
void read_older_commits(const Directory& directory, uint64_t newest, std::set<std::string>& needed,
                        Findings& findings) {
  for (const std::string& name : directory.list()) {
    const auto generation = codec::parse_commit_file_name(name);
    if (!generation || *generation >= newest) continue;
    needed.insert(name);
    try {
      const codec::Commit older = codec::read_commit(directory, *generation);
      for (const std::string& file : older.files()) {
        needed.insert(file);
        directory.file_length(file);
      }
      findings.note(name + " is an older commit; only that it can be read was checked");
    } catch (const Error& e) {
      findings.caught("", kPart, CorruptIndex(name + ", an older commit: " + e.what()));
    }
  }
}

const char* difference(const codec::FieldInfo& a, const codec::FieldInfo& b) {
  // A field may have begun as one that only doc values updates know.
  const bool both_indexed = a.indexed() && b.indexed();
  if (both_indexed && a.index_options != b.index_options) return "index options";
  if (both_indexed && a.omit_norms != b.omit_norms) return "norms";
  if (both_indexed && a.term_vectors != b.term_vectors) return "term vectors";
  if (a.indexed() != b.indexed()) return "index options";
  if (a.doc_values != b.doc_values) return "doc values";
  if (a.doc_values_skip_index != b.doc_values_skip_index) return "a skip index";
  if (a.point_dimensions != b.point_dimensions || a.point_bytes != b.point_bytes ||
      a.point_index_dimensions != b.point_index_dimensions)
    return "points";
  if (a.vector_dimension != b.vector_dimension ||
      (a.vector_dimension != 0 &&
       (a.vector_encoding != b.vector_encoding || a.vector_similarity != b.vector_similarity)))
    return "vectors";
  if (a.soft_deletes != b.soft_deletes || a.parent != b.parent) return "its role";
  return nullptr;
}

}  // namespace

std::optional<codec::Commit> open_newest_commit(const Directory& directory, Findings& findings) {
  try {
    std::optional<codec::Commit> commit = codec::read_latest_commit(directory);
    if (!commit) throw InvalidArgument("there is no index in " + directory.describe());
    return commit;
  } catch (const InvalidArgument&) {
    throw;
  } catch (const Error& e) {
    findings.caught("", kPart, e);
    return std::nullopt;
  }
}

void check_commit(const Directory& directory, const codec::Commit& commit, Findings& findings) {
  std::set<std::string> needed;
  for (const codec::SegmentCommitInfo& segment : commit.segments) {
    const auto number = codec::parse_base36(std::string_view(segment.info.name).substr(1));
    if (number && *number >= commit.counter)
      findings.problem("", kPart,
                       codec::commit_file_name(commit.generation) +
                           ": the next segment is number " + std::to_string(commit.counter) +
                           ", but there is " + segment.info.name);
  }
  for (std::string& name : commit.files()) needed.insert(std::move(name));
  read_older_commits(directory, commit.generation, needed, findings);
  for (const std::string& name : directory.list()) {
    if (codec::is_index_file(name) && !needed.contains(name))
      findings.note(name + " is needed by no commit; the next writer removes it");
  }
}

void FieldAgreement::add(const std::string& segment, const codec::FieldInfos& fields) {
  for (const codec::FieldInfo& field : fields.fields) {
    const auto [at, is_new] = seen_.try_emplace(field.name, Seen{field, segment});
    if (is_new) continue;
    if (const char* what = difference(at->second.field, field))
      findings_.problem("", "field infos",
                        "segments " + at->second.segment + " and " + segment +
                            " disagree about field '" + field.name + "': " + what);
  }
}

}  // namespace postern::check
