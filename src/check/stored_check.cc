// Stored values: every document can be read, and its fields are known.
#include "base/utf8.h"
#include "check/parts.h"

namespace postern::check {

Counts check_stored_fields(const Part& part) {
  uint64_t values = 0;
  part.guarded("stored fields", [&] {
    codec::StoredFieldsReader& reader = part.segment.stored_fields();
    const codec::FieldInfos& fields = part.segment.core_fields();
    uint32_t doc = 0;
    auto fail = [&](const std::string& what) {
      throw CorruptIndex(part.name() + ": stored fields of document " + std::to_string(doc) + ": " +
                         what);
    };
    auto visit = [&](const codec::StoredValue& value) {
      ++values;
      const codec::FieldInfo* field = fields.by_number(value.field_number);
      if (field == nullptr)
        fail("a value of field " + std::to_string(value.field_number) + ", which is unknown");
      if (value.type == codec::StoredType::kString && find_malformed_utf8(value.bytes) != kNoError)
        fail("the value of field '" + field->name + "' is not UTF-8");
    };
    for (; doc < part.segment.max_doc(); ++doc) reader.visit(doc, visit);
  });
  return {{"stored_values", values}};
}

}  // namespace postern::check
