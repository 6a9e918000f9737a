#include "check/index_check.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "check/commit_check.h"
#include "check/file_check.h"
#include "check/parts.h"
#include "check/work.h"
#include "codec/file_names.h"

namespace postern::check {
namespace {

// In the order of their cost, the dearest first, so that threads end at about the same time.
constexpr std::array kParts = {check_postings,   check_term_vectors, check_stored_fields,
                               check_doc_values, check_knn_vectors,  check_points,
                               check_index_sort, check_field_infos};
// The order in which a report shows them.
constexpr std::array<size_t, kParts.size()> kShown = {7, 0, 1, 2, 3, 5, 4, 6};

struct Segment {
  const codec::SegmentCommitInfo* commit = nullptr;
  uint64_t bytes = 0;
  std::optional<codec::FieldInfos> fields;  // none: cannot be read
  std::array<Counts, kParts.size()> counts;
};

class IndexCheck {
 public:
  IndexCheck(const Directory& directory, const CheckOptions& options)
      : directory_(directory), options_(options) {}

  IndexReport run() {
    IndexReport report;
    const std::optional<codec::Commit> commit = open_newest_commit(directory_, findings_);
    if (commit) {
      report.generation = commit->generation;
      check_commit(directory_, *commit, findings_);
      check_segments(*commit);
      for (const Segment& segment : segments_) report.segments.push_back(describe(segment));
    } else {
      check_loose_files();
    }
    report.problems = findings_.problems();
    report.notes = findings_.notes();
    return report;
  }

  bool missing_file() const { return findings_.missing_file(); }

 private:
  void check_segments(const codec::Commit& commit) {
    for (const codec::SegmentCommitInfo& info : commit.segments) {
      segments_.emplace_back();
      segments_.back().commit = &info;
      segments_.back().bytes = bytes_of_files(directory_, info);
      // Checksums read all bytes, and so do the parts.
      meter_.plan(segments_.back().bytes * (options_.checksums_only ? 1 : 2));
    }
    run_tasks(open_tasks());
    FieldAgreement agreement(findings_);
    for (const Segment& segment : segments_)
      if (segment.fields) agreement.add(segment.commit->info.name, *segment.fields);
    run_tasks(deep_tasks());
  }

  using Tasks = std::vector<std::function<void()>>;

  // Checksums, and whether each segment can be opened at all.
  Tasks open_tasks() {
    Tasks tasks;
    for (Segment& segment : segments_) {
      tasks.push_back([this, &segment] {
        check_segment_files(directory_, *segment.commit, findings_, meter_);
        if (!options_.checksums_only) open(segment);
      });
    }
    return tasks;
  }

  void open(Segment& segment) {
    const std::string& name = segment.commit->info.name;
    try {
      read::SegmentReader reader(directory_, *segment.commit);
      if (is_worth_reading({reader, findings_})) segment.fields = reader.fields();
    } catch (const Error& e) {
      findings_.caught(name, "segment", e);
    }
    if (!segment.fields) meter_.done(segment.bytes);
  }

  Tasks deep_tasks() {
    Tasks tasks;
    if (options_.checksums_only) return tasks;
    for (size_t part = 0; part < kParts.size(); ++part) {
      for (Segment& segment : segments_) {
        if (!segment.fields) continue;
        tasks.push_back([this, part, &segment] { check_part(segment, part); });
      }
    }
    return tasks;
  }

  void check_part(Segment& segment, size_t part) {
    try {
      read::SegmentReader reader(directory_, *segment.commit);
      segment.counts[part] = kParts[part]({reader, findings_});
    } catch (const Error& e) {
      findings_.caught(segment.commit->info.name, "segment", e);
    }
    meter_.done(segment.bytes / kParts.size());
  }

  void run_tasks(const Tasks& tasks) {
    std::function<void()> tick;
    if (options_.progress) tick = [this] { options_.progress(meter_.done(), meter_.planned()); };
    run_all(tasks, options_.threads, tick);
  }

  // Without a commit nobody knows which files belong together; damaged ones are still found.
  void check_loose_files() {
    for (const std::string& name : directory_.list()) {
      if (codec::is_index_file(name))
        check_file(directory_, name, std::string(codec::segment_of_file(name)), findings_, meter_);
    }
  }

  static SegmentReport describe(const Segment& segment) {
    SegmentReport report;
    report.name = segment.commit->info.name;
    report.documents = segment.commit->info.max_doc;
    report.deleted = segment.commit->del_count;
    report.bytes = segment.bytes;
    for (const size_t part : kShown)
      report.counts.insert(report.counts.end(), segment.counts[part].begin(),
                           segment.counts[part].end());
    return report;
  }

  const Directory& directory_;
  const CheckOptions& options_;
  Findings findings_;
  Meter meter_;
  std::vector<Segment> segments_;
};

}  // namespace

IndexReport check_index(const Directory& directory, const CheckOptions& options) {
  for (;;) {
    IndexCheck check(directory, options);
    IndexReport report = check.run();
    if (!check.missing_file()) return report;
    const std::optional<uint64_t> newest = codec::latest_generation(directory);
    if (!newest || *newest <= report.generation || report.generation == 0) return report;
  }
}

}  // namespace postern::check
