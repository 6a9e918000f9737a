#include "deletes/apply_changes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "codec/file_names.h"
#include "codec/live_docs.h"
#include "read/term_docs.h"
#include "store/codec_header.h"

namespace postern::deletes {
namespace {

// The changes of one packet.
struct Packet {
  std::vector<const Change*> deletes;
  std::vector<const Change*> updates;
};

std::vector<Packet> packets_of(Cursor from, uint64_t end) {
  std::vector<Packet> packets;
  const Change* last = nullptr;
  from.visit(end, [&](const Change& change) {
    if (last == nullptr || last->packet != change.packet) packets.emplace_back();
    last = &change;
    Packet& packet = packets.back();
    (change.target == nullptr ? packet.deletes : packet.updates).push_back(&change);
    return true;
  });
  return packets;
}

// The order in which looking the terms up costs the least; changes of one term keep theirs.
void sort_by_term(std::vector<const Change*>& changes) {
  std::ranges::stable_sort(changes, [](const Change* a, const Change* b) {
    return std::tie(a->field, a->term) < std::tie(b->field, b->term);
  });
}

const codec::FieldInfo* soft_deletes_field(const codec::FieldInfos& infos) {
  const auto at = std::ranges::find_if(infos.fields, &codec::FieldInfo::soft_deletes);
  return at == infos.fields.end() ? nullptr : &*at;
}

// Calls visit(doc) for each document with a value in the soft-deletes field.
template <class Visit>
void for_each_soft_deleted(read::SegmentReader& reader, Visit&& visit) {
  const codec::FieldInfo* field = soft_deletes_field(reader.fields());
  const codec::DocValuesReader* values = field == nullptr ? nullptr : reader.doc_values(*field);
  if (values == nullptr) return;
  values->visit_counts(field->number, [&](uint32_t doc, uint64_t n) {
    if (n != 0) visit(doc);
  });
}

// Those that are not deleted otherwise.
uint32_t count_soft_deleted(const Directory& directory, const codec::SegmentCommitInfo& segment) {
  read::SegmentReader reader(directory, segment);
  uint32_t count = 0;
  for_each_soft_deleted(reader, [&](uint32_t doc) { count += reader.is_live(doc) ? 1 : 0; });
  return count;
}

// A segment on disk, being changed.
class SegmentChanger {
 public:
  SegmentChanger(Directory& directory, const codec::SegmentCommitInfo& segment,
                 DocValuesUpdates updates)
      : directory_(directory),
        segment_(segment),
        reader_(directory, segment),
        live_(reader_.live_docs().begin(), reader_.live_docs().end()),
        updates_(std::move(updates)) {
    if (live_.empty()) live_ = codec::all_live(segment.info.max_doc);
  }

  // Documents deleted before, or by the same packet, keep their values; softly deleted ones too, if
  // the files say so.
  void apply(Packet& packet) {
    sort_by_term(packet.deletes);
    for_each_live(packet.deletes, [&](const Change&, uint32_t doc) {
      codec::delete_doc(live_, doc);
      ++deleted_;
    });
    if (packet.updates.empty()) return;
    if (soft_deleted_.empty()) {
      soft_deleted_.resize(live_.size());
      for_each_soft_deleted(
          reader_, [&](uint32_t doc) { soft_deleted_[doc / 64] |= uint64_t{1} << (doc % 64); });
    }
    for_each_live(packet.updates, [&](const Change& change, uint32_t doc) {
      if ((soft_deleted_[doc / 64] >> (doc % 64) & 1) == 0) updates_.add(doc, change);
    });
  }

  std::optional<ChangedSegment> finish() {
    if (deleted_ == 0 && updates_.empty()) return std::nullopt;
    codec::SegmentCommitInfo changed = segment_;
    std::vector<std::string> superseded;
    changed.del_count += deleted_;
    if (changed.del_count == changed.info.max_doc)
      return ChangedSegment{std::nullopt, segment_.files()};
    if (deleted_ != 0) write_live_docs(changed, superseded);
    if (!updates_.empty()) updates_.write(directory_, reader_, changed, superseded);
    changed.commit_id = store::new_object_id();
    changed.soft_del_count = count_soft_deleted(directory_, changed);
    if (changed.del_count + changed.soft_del_count < changed.info.max_doc)
      return ChangedSegment{std::move(changed), std::move(superseded)};
    std::ranges::move(segment_.files(), std::back_inserter(superseded));
    std::ranges::move(changed.files(), std::back_inserter(superseded));
    return ChangedSegment{std::nullopt, std::move(superseded)};
  }

 private:
  // Calls visit(change, doc) for the live documents of each change's term.
  template <class Visit>
  void for_each_live(std::span<const Change* const> changes, Visit&& visit) {
    std::optional<read::TermDocs> docs;
    const Change* last = nullptr;
    for (const Change* change : changes) {
      if (last == nullptr || last->field != change->field) docs.emplace(reader_, change->field);
      last = change;
      if (!docs->seek(change->term)) continue;
      for (uint32_t doc = docs->next_doc(); doc != read::TermDocs::kNoMoreDocs;
           doc = docs->next_doc()) {
        if (codec::is_live(live_, doc)) visit(*change, doc);
      }
    }
  }

  void write_live_docs(codec::SegmentCommitInfo& changed, std::vector<std::string>& superseded) {
    const std::string& name = segment_.info.name;
    if (segment_.del_gen >= 0)
      superseded.push_back(
          codec::generation_file(name, static_cast<uint64_t>(segment_.del_gen), "liv"));
    changed.del_gen = segment_.generation_after(segment_.del_gen);
    codec::write_live_docs(directory_, name, segment_.info.id,
                           static_cast<uint64_t>(changed.del_gen), live_, segment_.info.max_doc);
  }

  Directory& directory_;
  const codec::SegmentCommitInfo& segment_;
  read::SegmentReader reader_;
  std::vector<uint64_t> live_;
  std::vector<uint64_t> soft_deleted_;  // bits; filled for the first update
  uint32_t deleted_ = 0;
  DocValuesUpdates updates_;
};

}  // namespace

std::optional<ChangedSegment> apply_changes(Directory& directory,
                                            const codec::SegmentCommitInfo& segment,
                                            PendingChanges pending, uint64_t end) {
  SegmentChanger changer(directory, segment, std::move(pending.updates));
  for (Packet& packet : packets_of(pending.from, end)) changer.apply(packet);
  return changer.finish();
}

}  // namespace postern::deletes
