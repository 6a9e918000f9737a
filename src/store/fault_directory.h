// For tests: a directory in which any operation can fail, and from which the power can be cut.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "postern/directory.h"

namespace postern::store {

enum class FaultPoint : uint8_t {
  kCreate,
  kAppend,  // torn: the first half of the bytes is written
  kClose,
  kSync,  // each name counts, those before the failing one are durable
  kRename,
  kSyncMetadata,
  kRemove,
  kAny  // all of the above, counted together
};

// Passes everything on to the directory it wraps, which must outlive it. Thread-safe.
class FaultDirectory : public Directory {
 public:
  // What `base` holds already counts as durable.
  explicit FaultDirectory(Directory& base);
  ~FaultDirectory() override;

  // From now on, the nth operation (1 = the next one) of this kind throws IoError with
  // `error_number`; with `for_good`, so do all operations (of any kind) after it. One fault at a
  // time.
  void fail(FaultPoint point, uint64_t nth, int error_number, bool for_good = false);
  void heal();
  // Whether the fault set by `fail` has happened.
  bool failed() const;
  // Operations of the kind since construction, the failed ones included.
  uint64_t count(FaultPoint point) const;

  // What is left, as a new directory in memory, if the power fails now. A file holds the bytes it
  // had at its last sync; one never synced is empty. Both fates of names are legal:
  enum class Names : uint8_t {
    kSynced,  // as of the last sync_metadata: later renames and removals are undone
    kAll      // all of them, as if the system had written them back by itself
  };
  std::unique_ptr<Directory> power_cut(Names names) const;

  std::string describe() const override;
  std::vector<std::string> list() const override;
  std::unique_ptr<OutputFile> create(const std::string& name) override;
  std::unique_ptr<InputFile> open(const std::string& name) const override;
  uint64_t file_length(const std::string& name) const override;
  void remove(const std::string& name) override;
  void rename(const std::string& from, const std::string& to) override;
  void sync(std::span<const std::string> names) override;
  void sync_metadata() override;
  std::unique_ptr<DirectoryLock> lock(const std::string& name) override;

 private:
  class Output;
  using DurableBytes = std::shared_ptr<std::vector<uint8_t>>;
  using NameMap = std::map<std::string, DurableBytes>;

  // Whether this operation is to fail; counts it.
  bool fails(FaultPoint point);
  void check(FaultPoint point, const std::string& name, const char* operation);
  [[noreturn]] void throw_fault(const std::string& name, const char* operation) const;

  Directory& base_;
  mutable std::mutex mutex_;  // guards everything below
  NameMap names_;
  NameMap durable_names_;
  std::array<uint64_t, static_cast<size_t>(FaultPoint::kAny) + 1> counts_{};
  FaultPoint point_ = FaultPoint::kAny;
  uint64_t fail_at_ = 0;  // value of counts_[point_] that fails; 0 = none
  int error_number_ = 0;
  bool for_good_ = false;
  bool failed_ = false;
};

}  // namespace postern::store
