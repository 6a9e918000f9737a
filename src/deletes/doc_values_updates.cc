#include "deletes/doc_values_updates.h"

#include <algorithm>
#include <utility>

#include "codec/doc_values_writer.h"
#include "codec/file_names.h"
#include "codec/java_hash_order.h"

namespace postern::deletes {
namespace {

using codec::FieldInfo;

std::string generation_text(int64_t generation) {
  return codec::to_base36(static_cast<uint64_t>(generation));
}

// The field as the segment's next generation of field infos has it. A segment may get a field by an
// update; its number there is not the one it has in other segments, but the next one (11 §4).
FieldInfo& field_in(codec::FieldInfos& infos, const Target& target) {
  const auto known = std::ranges::find(infos.fields, target.name, &FieldInfo::name);
  if (known != infos.fields.end()) return *known;
  FieldInfo info;
  info.name = target.name;
  info.number = infos.fields.empty() ? 0 : infos.fields.back().number + 1;
  info.doc_values = target.type;
  info.soft_deletes = target.soft_deletes;
  info.attributes = {{codec::kDocValuesFormatKey, codec::kDocValuesFormatName},
                     {codec::kDocValuesSuffixKey, codec::kDocValuesSuffixValue}};
  return infos.fields.emplace_back(std::move(info));
}

// One column: the values of the segment as it was, new ones put in their places. Documents come
// ascending, the new ones by give_new.
struct Column {
  std::vector<uint32_t> docs;
  std::vector<int64_t> numbers;   // of numeric fields
  std::vector<uint32_t> lengths;  // of binary ones
  std::vector<uint8_t> bytes;

  void add(uint32_t doc, int64_t value) {
    docs.push_back(doc);
    numbers.push_back(value);
  }
  void add(uint32_t doc, std::span<const uint8_t> value) {
    docs.push_back(doc);
    lengths.push_back(static_cast<uint32_t>(value.size()));
    bytes.insert(bytes.end(), value.begin(), value.end());
  }
  void add(uint32_t doc, const Change& change) {
    if (change.target->type == DocValuesType::kNumeric) return add(doc, change.integer);
    add(doc, std::span(reinterpret_cast<const uint8_t*>(change.bytes.data()), change.bytes.size()));
  }
};

}  // namespace

void DocValuesUpdates::add(uint32_t doc, const Change& change) {
  auto field = std::ranges::find(fields_, change.target->number,
                                 [](const Field& f) { return f.target->number; });
  if (field == fields_.end()) field = fields_.insert(field, {change.target, {}});
  field->values.push_back({doc, &change});
}

void DocValuesUpdates::write(Directory& directory, read::SegmentReader& reader,
                             codec::SegmentCommitInfo& segment,
                             std::vector<std::string>& superseded) {
  codec::sort_as_java_map(fields_, [](const Field& f) { return f.target->name; });
  codec::FieldInfos infos = reader.fields();
  const codec::SegmentContext context{directory, segment.info.name, segment.info.id,
                                      segment.info.max_doc};
  for (Field& field : fields_) {
    std::ranges::stable_sort(field.values, {}, &Value::doc);
    Column column;
    auto next = field.values.begin();
    // The last of the new values of one document.
    auto add_new = [&] {
      while (next + 1 != field.values.end() && next[1].doc == next->doc) ++next;
      column.add(next->doc, *next->change);
      ++next;
    };
    auto merge = [&](uint32_t doc, auto old_value) {
      while (next != field.values.end() && next->doc < doc) add_new();
      if (next != field.values.end() && next->doc == doc) {
        add_new();
      } else {
        column.add(doc, old_value);
      }
    };
    const bool numeric = field.target->type == DocValuesType::kNumeric;
    const FieldInfo* old = reader.fields().by_name(field.target->name);
    const codec::DocValuesReader* values = old == nullptr ? nullptr : reader.doc_values(*old);
    if (values != nullptr && numeric) values->visit_numbers(old->number, merge);
    if (values != nullptr && !numeric) values->visit_bytes(old->number, merge);
    while (next != field.values.end()) add_new();

    segment.doc_values_gen = segment.generation_after(segment.doc_values_gen);
    FieldInfo& info = field_in(infos, *field.target);
    info.doc_values_generation = segment.doc_values_gen;
    codec::DocValuesWriter writer(
        context, generation_text(segment.doc_values_gen) + "_" + codec::kDocValuesSuffix);
    const codec::ColumnDocs docs{column.docs, column.docs.size() == segment.info.max_doc};
    if (numeric) {
      writer.add_numeric(info, docs, column.numbers);
    } else {
      writer.add_binary(info, docs, column.lengths, column.bytes);
    }
    writer.close();
    auto entry = std::ranges::find(segment.doc_values_updates, info.number,
                                   &codec::DocValuesUpdate::field_number);
    if (entry == segment.doc_values_updates.end())
      entry = segment.doc_values_updates.insert(entry, {info.number, {}});
    std::ranges::move(std::exchange(entry->files, writer.files()), std::back_inserter(superseded));
  }
  segment.field_infos_gen = segment.generation_after(segment.field_infos_gen);
  std::vector<std::string> written{
      codec::write_field_infos(directory, segment.info.name, segment.info.id,
                               generation_text(segment.field_infos_gen), infos)};
  std::ranges::move(std::exchange(segment.field_infos_files, std::move(written)),
                    std::back_inserter(superseded));
}

}  // namespace postern::deletes
