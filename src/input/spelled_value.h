// A value that is written as text: a column, or a JSON string, number or boolean.
#pragma once

#include <string_view>

#include "input/schema.h"
#include "input/scratch.h"
#include "postern/document.h"

namespace postern::input {

// The numbers of one point of several dimensions, packed as the index has them (docs/formats/23
// §6).
class PackedPoint {
 public:
  PackedPoint(const SchemaField& field, Scratch& scratch) : field_(field), scratch_(scratch) {}

  // Throws BadValue for what is no number of the field's kind, and for one number too many.
  void add(std::string_view number);
  // The point, which lives as long as the scratch; ready for the next one. Throws BadValue if
  // numbers are missing.
  std::string_view take();

 private:
  [[noreturn]] void refuse(size_t numbers) const;

  const SchemaField& field_;
  Scratch& scratch_;
  size_t numbers_ = 0;
  char* bytes_ = nullptr;
};

// The numbers of one KNN vector, as the index has them.
class PackedVector {
 public:
  // The vector lives as long as the scratch.
  PackedVector(const SchemaField& field, Scratch& scratch);

  // Throws BadValue for what cannot be a component, and for one too many.
  void add(std::string_view number);
  // Throws BadValue if components are missing.
  void add_to(Document& document);

 private:
  [[noreturn]] void refuse_length(std::string_view more, size_t numbers) const;

  const SchemaField& field_;
  size_t dimension_;
  size_t component_bytes_;
  size_t count_ = 0;
  char* bytes_;
};

// Adds it as its field's type asks; text and keyword take it as it is spelled. `value` must live as
// long as the document's. Throws BadValue (also for binary, which is never spelled so).
void add_spelled_value(Document& document, const SchemaField& field, std::string_view value);

}  // namespace postern::input
