// A segment's files in one: `.cfs` with the bytes, `.cfe` with their places (docs/formats/11 §6).
//
//   .cfs  header | for each file, ascending by length: zeros to a multiple of 64, the file | footer
//   .cfe  header | vInt files | per file: string name without the segment, i64 offset, i64 length
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

struct CompoundFiles {
  std::string entries;  // "_0.cfe"
  std::string data;     // "_0.cfs"
};

// Packs `files` of the segment, which stay where they are. Each file's header id and checksum are
// verified on the way. Throws CorruptIndex naming the file, IoError.
CompoundFiles write_compound(Directory& directory, const std::string& segment,
                             const store::ObjectId& id, std::span<const std::string> files);

// The files inside a compound file, under their full names ("_0.fdt"), as a read-only directory:
// everything that changes it throws NotSupported. `open` verifies nothing of the inner file; its
// reader does. Inputs are valid while the CompoundReader lives.
class CompoundReader : public Directory {
 public:
  // Reads the .cfe whole and checks header, footer structure and length of the .cfs. Throws
  // CorruptIndex, IoError.
  CompoundReader(const Directory& directory, const std::string& segment, const store::ObjectId& id);
  ~CompoundReader() override;

  // Checksum of the whole .cfs, padding included.
  void check_integrity() const;

  std::string describe() const override;
  std::vector<std::string> list() const override;
  std::unique_ptr<InputFile> open(const std::string& name) const override;
  uint64_t file_length(const std::string& name) const override;

  std::unique_ptr<OutputFile> create(const std::string& name) override;
  void remove(const std::string& name) override;
  void rename(const std::string& from, const std::string& to) override;
  void sync(std::span<const std::string> names) override;
  void sync_metadata() override;
  std::unique_ptr<DirectoryLock> lock(const std::string& name) override;

 private:
  struct Place {
    uint64_t offset;
    uint64_t length;
  };
  [[noreturn]] void refuse(const char* operation) const;
  const Place& find(const std::string& name) const;

  std::string data_name_;
  std::string where_;
  std::unique_ptr<const InputFile> data_;
  std::map<std::string, Place> places_;
};

}  // namespace postern::codec
