#include "codec/postings_format_writer.h"

namespace postern::codec {

std::vector<std::string> PostingsFormatWriter::files() const {
  std::vector<std::string> out = postings_.files();
  out.insert(out.end(), terms_.files().begin(), terms_.files().end());
  return out;
}

}  // namespace postern::codec
