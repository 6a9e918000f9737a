#include "analysis/stop_words.h"

namespace postern::analysis {

StopWords::StopWords(std::vector<std::string> words) {
  for (std::string& word : words) {
    possible_.set(signature(word));
    words_.insert(std::move(word));
  }
}

}  // namespace postern::analysis
