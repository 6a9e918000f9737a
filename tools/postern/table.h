// Columns of text, as wide as they need to be.
#pragma once

#include <string>
#include <vector>

namespace postern::tool {

class Table {
 public:
  explicit Table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  // As many cells as the head has. A column of numbers is set to the right.
  void add(std::vector<std::string> row);
  // Lines, each ended. Columns that are empty below their head are left out.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace postern::tool
