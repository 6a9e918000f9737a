// Fields of type text and keyword.
#include <fmt/format.h>

#include "input/errors.h"
#include "opensearch/field_draft.h"

namespace postern::opensearch {

void FieldBuilder::build_text() {
  field_->kind = FieldKind::kText;
  FieldType type;
  const bool index = parameters_.boolean("index", true);
  type.stored = parameters_.boolean("store", false);
  type.omit_norms = !parameters_.boolean("norms", true);
  const std::string options =
      parameters_.one_of("index_options", "positions", {"docs", "freqs", "positions", "offsets"});
  const std::string analyzer_name = parameters_.string("analyzer").value_or("default");
  const std::shared_ptr<const Analyzer> analyzer = analyzer_of(analyzer_name);
  for (const char* other : {"search_analyzer", "search_quote_analyzer"}) {
    if (const auto name = parameters_.string(other)) analyzer_of(*name);
  }
  const uint32_t gap = take_gap();
  if (index) {
    type.index_options = options == "docs"      ? IndexOptions::kDocs
                         : options == "freqs"   ? IndexOptions::kFreqs
                         : options == "offsets" ? IndexOptions::kOffsets
                                                : IndexOptions::kPositions;
  }
  if (gap_given_ && !type.has_positions()) {
    parameters_.fail("position_increment_gap", "it needs index_options with positions");
  }
  take_term_vectors(type, index);
  parameters_.refuse({{"index_prefixes", "it makes a second field of prefixes"},
                      {"index_phrases", "it makes a second field of two-word terms"}});
  parameters_.keep(
      {"fielddata", "fielddata_frequency_filter", "eager_global_ordinals", "boost", "doc_values"});
  take_similarity();
  field_->in_field_names = (index || type.stored) && type.omit_norms;
  field_->one_term = index && analyzer_name == "keyword";
  if (index || type.stored) {
    field_->main =
        std::make_unique<FieldDefinition>(field_->path, type, index ? analyzer : nullptr, gap, 1);
  }
}

uint32_t FieldBuilder::take_gap() {
  constexpr uint32_t kUsual = 100;
  const input::JsonNode* gap = parameters_.take("position_increment_gap");
  if (gap == nullptr || gap->text == "-1") return kUsual;
  gap_given_ = true;
  return parameters_.integer("position_increment_gap", kUsual);
}

std::shared_ptr<const Analyzer> FieldBuilder::analyzer_of(const std::string& name) {
  if (context_.check_analyzer) context_.check_analyzer(parameters_.what(), name);
  if (name == "default" || name == "standard") return standard_analyzer();
  if (name == "simple") return simple_analyzer();
  if (name == "whitespace") return whitespace_analyzer();
  if (name == "keyword") return keyword_analyzer();
  if (name == "stop") return stop_analyzer(english_stop_words());
  if (name == "english") return english_analyzer();
  parameters_.not_supported(
      "analyzer", fmt::format("there is no analyzer {}; known: standard, simple, whitespace, "
                              "keyword, stop, english",
                              input::quoted(name)));
}

void FieldBuilder::take_term_vectors(FieldType& type, bool index) {
  const std::string value =
      parameters_.one_of("term_vector", "no",
                         {"no", "yes", "with_positions", "with_offsets", "with_positions_offsets",
                          "with_positions_payloads", "with_positions_offsets_payloads"});
  if (value == "no") return;
  if (!index) parameters_.fail("term_vector", "it needs a field with \"index\": true");
  type.term_vectors.enabled = true;
  type.term_vectors.positions = value.find("positions") != value.npos;
  type.term_vectors.offsets = value.find("offsets") != value.npos;
  type.term_vectors.payloads = value.find("payloads") != value.npos;
}

void FieldBuilder::take_similarity() {
  const auto name = parameters_.string("similarity");
  if (name && *name != "BM25" && *name != "boolean") {
    parameters_.not_supported("similarity", "only BM25 and boolean are known here");
  }
}

void FieldBuilder::build_keyword() {
  field_->kind = FieldKind::kKeyword;
  const Aspects aspects = take_aspects();
  field_->one_term = aspects.index || aspects.doc_values;
  FieldType type;
  type.tokenized = false;
  type.stored = aspects.store;
  type.omit_norms = !parameters_.boolean("norms", false);
  const std::string options = parameters_.one_of("index_options", "docs", {"docs", "freqs"});
  if (aspects.index) {
    type.index_options = options == "docs" ? IndexOptions::kDocs : IndexOptions::kFreqs;
  }
  if (aspects.doc_values) type.doc_values = DocValuesType::kSortedSet;
  const input::JsonNode* above = parameters_.take("ignore_above");
  if (above != nullptr && above->text.starts_with('-')) {
    parameters_.fail("ignore_above", fmt::format("must not be negative, got {}", above->text));
  }
  field_->ignore_above = parameters_.integer("ignore_above", INT32_MAX);
  if (const input::JsonNode* normalizer = parameters_.take("normalizer");
      normalizer != nullptr && normalizer->type != input::JsonNode::Type::kNull) {
    parameters_.not_supported("normalizer", "values are indexed as they are");
  }
  take_similarity();
  parameters_.keep(
      {"eager_global_ordinals", "split_queries_on_whitespace", "boost", "use_similarity"});
  take_null_value();
  note_existence(
      {aspects.index && type.omit_norms, aspects.doc_values, aspects.store && type.omit_norms});
  if (aspects.index || aspects.store || aspects.doc_values) field_->main = define(type);
}

}  // namespace postern::opensearch
