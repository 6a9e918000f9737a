#include "opensearch/document_parser.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "input/errors.h"
#include "input/json_cursor.h"
#include "input/scratch.h"
#include "input/text_values.h"
#include "opensearch/document_id.h"
#include "opensearch/document_walker.h"
#include "opensearch/mapping_checks.h"
#include "opensearch/mapping_tree.h"
#include "postern/error.h"

namespace postern::opensearch {

namespace ondemand = input::ondemand;

namespace {

constexpr size_t kUsualSource = size_t{64} << 10;
constexpr size_t kGiantSource = size_t{32} << 20;
// simdjson's own; beyond it on-demand iteration would stop with an error of its own.
static_assert(DocumentParser::kPadding >= simdjson::SIMDJSON_PADDING);

const char* reason_of(simdjson::error_code error) {
  switch (error) {
    case simdjson::UNESCAPED_CHARS:
      return "control character in a string";
    case simdjson::UNCLOSED_STRING:
      return "a string without end";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      return "it ends too early";
    case simdjson::DEPTH_ERROR:
      return "objects and arrays nested too deep";
    case simdjson::EMPTY:
      return "it is empty";
    default:
      return "a comma, colon, bracket, key or value is not where it should be";
  }
}

}  // namespace

class DocumentParser::Impl {
 public:
  Impl(Mapping& mapping, std::function<void()> before_new_field)
      : tree_(mapping.tree()),
        before_new_field_(std::move(before_new_field)),
        cursor_(scratch_),
        walker_(tree_, cursor_) {}

  void parse(const Header& header, std::string_view source) {
    try {
      parse_source(header, source);
    } catch (const InvalidDocument& e) {
      const std::string_view message = e.what();
      if (input::find_invalid_utf8(message) == kNoError) throw;
      // It shows half a surrogate pair of the document.
      std::string readable;
      append_without_surrogates(readable, message);
      throw InvalidDocument(readable);
    }
  }

  void parse_source(const Header& header, std::string_view source) {
    header_ = header;
    source_ = source;
    if (tree_.routing_required && !header.has_routing) {
      throw InvalidDocument("[_routing]: the mapping requires a routing, and there is none");
    }
    id_.clear();
    append_id_bytes(id_, header.id);
    try {
      walk(false);
      return;
    } catch (const DocumentWalker::NeedsNewField&) {
    }
    if (before_new_field_) before_new_field_();
    walk(true);
    NewMappers& added = walker_.new_mappers();
    if (added.places.empty()) return;
    check_limits(added);
    tree_.publish(std::move(added));
  }

  std::span<const Document> documents(int64_t sequence_number) {
    const std::vector<size_t>& order = walker_.order();
    if (documents_.size() < order.size() || documents_.size() > kManyDocuments) {
      documents_.resize(order.size());
    }
    for (size_t i = 0; i < order.size(); ++i) {
      const BlockPart& part = walker_.parts()[order[i]];
      documents_[i].clear();
      if (part.nested == nullptr) {
        fill_root(documents_[i], part, sequence_number);
      } else {
        fill_nested(documents_[i], part, sequence_number);
      }
    }
    return {documents_.data(), order.size()};
  }

 private:
  static constexpr size_t kManyDocuments = size_t{1} << 12;

  void check_limits(const NewMappers& added) const {
    try {
      tree_.check_limits(added);
      check_new_objects(tree_, added);
    } catch (const InvalidArgument& e) {
      throw InvalidDocument(e.what());
    }
  }

  void walk(bool may_add) {
    scratch_.clear();
    cursor_.start(source_);
    prepare(source_.size());
    ondemand::document document;
    if (const auto error = parser_
                               ->iterate(source_.data(), source_.size(),
                                         source_.size() + simdjson::SIMDJSON_PADDING)
                               .get(document)) {
      fail(error, nullptr);
    }
    ondemand::object root;
    if (const auto error = document.get_object().get(root)) {
      if (error == simdjson::INCORRECT_TYPE) {
        throw InvalidDocument("the source must be a JSON object");
      }
      fail(error, &document);
    }
    try {
      walker_.walk(root, may_add);
      if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
        cursor_.malformed("text behind the object", nullptr);
      }
    } catch (const simdjson::simdjson_error& e) {
      fail(e.error(), &document);
    } catch (const input::BadValue& e) {
      throw InvalidDocument(e.what());
    } catch (const InvalidArgument& e) {
      throw InvalidDocument(e.what());
    }
  }

  // simdjson's indexes take 4 bytes per byte of the longest source; what a giant one needed is
  // freed with the next usual one.
  void prepare(size_t length) {
    if (!parser_ || (capacity_ > kGiantSource && length <= kUsualSource)) {
      parser_.emplace();
      capacity_ = 0;
    }
    if (length <= capacity_) return;
    capacity_ = std::max(kUsualSource, std::bit_ceil(length));
    if (parser_->allocate(capacity_) != simdjson::SUCCESS) {
      parser_.reset();
      throw InvalidDocument(fmt::format("not enough memory to read a source of {} bytes", length));
    }
  }

  [[noreturn]] void fail(simdjson::error_code error, ondemand::document* document) const {
    try {
      if (error == simdjson::UTF8_ERROR) {
        throw input::BadValue(
            fmt::format("not valid UTF-8 at byte {}", input::find_invalid_utf8(source_) + 1));
      }
      const char* where = nullptr;
      if (document != nullptr && error != simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
        auto location = document->current_location();
        if (location.error() == simdjson::SUCCESS) where = location.value_unsafe();
      }
      cursor_.malformed(reason_of(error), where);
    } catch (const input::BadValue& e) {
      throw InvalidDocument(e.what());
    }
  }

  void fill_root(Document& document, const BlockPart& part, int64_t sequence_number) {
    const MetadataFields& own = tree_.metadata;
    document.add_bytes(own.id, id_);
    if (header_.has_routing) {
      document.add_text(own.routing, header_.routing);
      if (tree_.field_names) document.add_text(own.field_names, own.routing.name());
    }
    document.add_long(own.sequence_number, sequence_number);
    document.add_long(own.primary_term, 1);
    document.add_bytes(own.source, source_);
    document.add_long(own.version, 1);
    for (const FieldValue& value : part.values) document.add(value);
    for (const std::string* name : walker_.ignored()) document.add_text(own.ignored, *name);
  }

  void fill_nested(Document& document, const BlockPart& part, int64_t sequence_number) {
    const MetadataFields& own = tree_.metadata;
    document.add_bytes(own.nested_id, id_);
    document.add_text(own.nested_path, part.nested->path);
    for (const FieldValue& value : part.values) document.add(value);
    document.add_long(own.sequence_number, sequence_number);
    document.add_long(own.version, 1);
  }

  MappingTree& tree_;
  std::function<void()> before_new_field_;
  input::Scratch scratch_;
  input::JsonCursor cursor_;
  DocumentWalker walker_;
  std::optional<ondemand::parser> parser_;
  size_t capacity_ = 0;  // of parser_, bytes of a source
  Header header_;
  std::string_view source_;
  std::string id_;
  std::vector<Document> documents_;
};

DocumentParser::DocumentParser(Mapping& mapping, std::function<void()> before_new_field)
    : impl_(std::make_unique<Impl>(mapping, std::move(before_new_field))) {}

DocumentParser::~DocumentParser() = default;

void DocumentParser::parse(const Header& header, std::string_view source) {
  impl_->parse(header, source);
}

std::span<const Document> DocumentParser::documents(int64_t sequence_number) {
  return impl_->documents(sequence_number);
}

}  // namespace postern::opensearch
