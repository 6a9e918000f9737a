#include "index/segment_writer.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/utf8.h"
#include "codec/compound.h"
#include "codec/live_docs.h"
#include "codec/norms_writer.h"
#include "codec/postings_format_writer.h"
#include "codec/stored_fields_format.h"
#include "index/doc_values_flush.h"
#include "index/points_flush.h"
#include "index/sorted_column.h"
#include "postern/error.h"

namespace postern::index {
namespace {

void append(std::vector<std::string>& files, std::vector<std::string> more) {
  files.insert(files.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

// One norm byte per document, 1 where there is none, for the impacts of the field's postings.
std::span<const uint8_t> norms_by_document(const invert::NormsBuffer& norms, uint32_t max_doc,
                                           std::span<const uint32_t> new_docs,
                                           std::vector<uint8_t>& scratch) {
  if (norms.dense() && norms.size() == max_doc && new_docs.empty()) return norms.values();
  scratch.assign(max_doc, 1);
  for (uint32_t i = 0; i < norms.size(); ++i) {
    const uint32_t doc = norms.dense() ? i : norms.docs()[i];
    scratch[new_docs.empty() ? doc : new_docs[doc]] = norms.values()[i];
  }
  return scratch;
}

void write_field_norms(const codec::FieldInfo& info, const invert::NormsBuffer& norms,
                       uint32_t max_doc, std::span<const uint32_t> new_docs,
                       codec::NormsWriter& writer) {
  if (!new_docs.empty()) {
    const SortedColumn sorted(norms.dense(), norms.size(), norms.docs(), new_docs);
    const std::span<const uint32_t> all;
    writer.add_field(info, norms.size() == max_doc ? all : sorted.docs(),
                     sorted.reorder(norms.values()));
    return;
  }
  if (!norms.dense() || norms.size() == max_doc) {
    writer.add_field(info, norms.docs(), norms.values());
    return;
  }
  std::vector<uint32_t> docs(norms.size());
  std::iota(docs.begin(), docs.end(), uint32_t{0});
  writer.add_field(info, docs, norms.values());
}

// Lists shorter than a block have no impacts, so their field's norms are never asked for.
constexpr uint32_t kDocsOfABlock = 256;

}  // namespace

void write_norms(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                 std::span<const BufferedField> fields, std::span<const uint32_t> new_docs,
                 std::vector<std::string>& files) {
  if (!infos.any_norms()) return;
  std::vector<BufferedField> by_number;
  for (const BufferedField& field : fields) {
    if (field.info->has_norms()) by_number.push_back(field);
  }
  std::ranges::sort(by_number, {}, [](const BufferedField& f) { return f.info->number; });
  codec::NormsWriter writer(context);
  for (const BufferedField& field : by_number)
    write_field_norms(*field.info, field.inverter->norms(), context.max_doc, new_docs, writer);
  writer.close();
  append(files, writer.files());
}

void write_columns(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                   std::span<const BufferedField> fields, std::span<const uint32_t> new_docs,
                   std::vector<std::string>& files) {
  std::vector<BufferedDocValues> doc_values;
  std::vector<PointsField> points;
  for (const BufferedField& field : fields) {
    doc_values.push_back({field.info, field.doc_values});
    points.push_back({field.info, field.points});
  }
  write_doc_values(context, doc_values, files, new_docs);
  write_points(context, infos, points, files, new_docs);
}

void write_postings(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                    std::span<const BufferedField> fields, std::span<const uint32_t> new_docs,
                    memory::MemoryCounter& counter, std::vector<std::string>& files) {
  std::vector<BufferedField> with_terms;
  for (const BufferedField& field : fields) {
    if (field.inverter != nullptr && field.inverter->term_count() != 0) with_terms.push_back(field);
  }
  std::ranges::sort(with_terms, [](const BufferedField& a, const BufferedField& b) {
    return compare_utf16_order(a.info->name, b.info->name) < 0;
  });
  codec::PostingsFormatWriter writer(context, infos);
  std::vector<uint32_t> ids;
  std::vector<uint8_t> scratch;
  invert::SortedPostings sorted(counter);
  for (const BufferedField& field : with_terms) {
    invert::FieldInverter& inverter = *field.inverter;
    std::span<const uint8_t> norms;
    if (field.info->has_norms() && inverter.doc_count() >= kDocsOfABlock) {
      norms = norms_by_document(inverter.norms(), context.max_doc, new_docs, scratch);
    }
    inverter.sort_terms(ids);
    writer.start_field(*field.info, norms);
    for (size_t i = 0; i < ids.size(); ++i) {
      inverter.prefetch(ids, i);
      if (new_docs.empty()) {
        inverter.decode(ids[i], writer);
      } else {
        inverter.decode_sorted(ids[i], new_docs, sorted, writer);
      }
      writer.finish_term(inverter.term(ids[i]));
    }
    if (writer.finish_field(inverter.doc_count())) {
      auto& attributes = field.info->attributes;
      attributes.emplace_back("PerFieldPostingsFormat.format", "Lucene104");
      attributes.emplace_back("PerFieldPostingsFormat.suffix", "0");
    }
  }
  writer.close();
  append(files, writer.files());
}

codec::SegmentCommitInfo finish_segment(const codec::SegmentContext& context,
                                        const SegmentFacts& facts, std::vector<std::string> files,
                                        std::span<const uint32_t> deleted) {
  std::vector<std::string> loose;
  if (facts.compound) {
    codec::CompoundFiles packed =
        codec::write_compound(context.directory, context.segment, context.id, files);
    loose = std::exchange(files, {packed.entries, packed.data});
  }
  codec::SegmentCommitInfo segment;
  codec::SegmentInfo& info = segment.info;
  info.name = context.segment;
  info.id = context.id;
  info.max_doc = context.max_doc;
  info.compound = facts.compound;
  info.has_blocks = facts.has_blocks;
  info.diagnostics = codec::standard_diagnostics("flush");
  info.attributes = {{codec::kStoredFieldsModeKey, codec::stored_fields_mode_name(facts.mode)}};
  info.index_sort = facts.index_sort;
  info.files = std::move(files);
  info.files.push_back(codec::segment_file(context.segment, "", "si"));
  codec::write_segment_info(context.directory, info);
  for (const std::string& name : loose) {
    try {
      context.directory.remove(name);
    } catch (const IoError&) {
      // It is in no commit; whoever opens the index next removes it.
    }
  }
  segment.soft_del_count = facts.soft_deleted;
  segment.commit_id = store::new_object_id();
  if (!deleted.empty()) {
    std::vector<uint64_t> live = codec::all_live(context.max_doc);
    for (uint32_t doc : deleted) codec::delete_doc(live, doc);
    segment.del_gen = 1;
    segment.del_count = static_cast<uint32_t>(deleted.size());
    codec::write_live_docs(context.directory, context.segment, context.id, 1, live,
                           context.max_doc);
  }
  return segment;
}

}  // namespace postern::index
