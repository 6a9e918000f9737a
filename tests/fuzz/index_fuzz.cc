// A whole index in memory, through the check that reads every part of it.
//
// Input: for each file a byte with the length of its name, the name, le32 the length of its bytes,
// the bytes; made by pack_index.py. Checksums are made right before the check, so that changes
// reach the structure. The mutator changes one file at a time and keeps the frame.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "check/index_check.h"
#include "postern/directory.h"
#include "postern/error.h"
#include "store/codec_header.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using namespace postern;

using Bytes = std::vector<uint8_t>;
using Files = std::vector<std::pair<std::string, Bytes>>;

Files unpack(const uint8_t* data, size_t size) {
  Files files;
  size_t at = 0;
  while (at < size) {
    const size_t name_length = data[at++];
    if (size - at < name_length + 4) break;
    std::string name(reinterpret_cast<const char*>(data + at), name_length);
    at += name_length;
    const size_t length = std::min<size_t>(load_le<uint32_t>(data + at), size - at - 4);
    at += 4;
    files.emplace_back(std::move(name), Bytes(data + at, data + at + length));
    at += length;
  }
  return files;
}

size_t pack(const Files& files, uint8_t* data, size_t max_size) {
  size_t at = 0;
  for (const auto& [name, bytes] : files) {
    if (max_size - at < 5 + name.size() + bytes.size()) break;
    data[at++] = static_cast<uint8_t>(name.size());
    std::memcpy(data + at, name.data(), name.size());
    at += name.size();
    store_le<uint32_t>(data + at, static_cast<uint32_t>(bytes.size()));
    at += 4;
    if (!bytes.empty()) std::memcpy(data + at, bytes.data(), bytes.size());
    at += bytes.size();
  }
  return at;
}

void seal(Bytes& file) {
  if (file.size() < store::kFooterLength) return;
  store_be64(file.data() + file.size() - 8,
             store::crc32(0, std::span(file).first(file.size() - 8)));
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  Files files = unpack(data, size);
  if (files.empty()) return LLVMFuzzerMutate(data, size, max_size);
  Bytes& file = files[seed % files.size()].second;
  const size_t body = file.size() > store::kFooterLength ? file.size() - store::kFooterLength : 0;
  Bytes changed(file.begin(), file.begin() + static_cast<ptrdiff_t>(body));
  const Bytes footer(file.begin() + static_cast<ptrdiff_t>(body), file.end());
  changed.resize(body + 32);
  changed.resize(LLVMFuzzerMutate(changed.data(), body, changed.size()));
  changed.insert(changed.end(), footer.begin(), footer.end());
  file = std::move(changed);
  return pack(files, data, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto directory = memory_directory();
  for (auto& [name, bytes] : unpack(data, size)) {
    seal(bytes);
    try {
      auto file = directory->create(name);
      file->append(bytes);
      file->close();
    } catch (const Error&) {
      // Twice the same name, or one that no file can have.
    }
  }
  try {
    for (const check::Problem& problem :
         check::check_index(*directory, {.threads = 1, .progress = {}}).problems) {
      if (problem.message.empty()) __builtin_trap();
    }
  } catch (const InvalidArgument&) {
    // No index.
  }
  return 0;
}
