#include "store/fault_directory.h"

#include "postern/error.h"
#include "store/io_errors.h"

namespace postern::store {

class FaultDirectory::Output : public OutputFile {
 public:
  Output(FaultDirectory& directory, std::string name, std::unique_ptr<OutputFile> file)
      : directory_(directory), name_(std::move(name)), file_(std::move(file)) {}

  void append(std::span<const uint8_t> bytes) override {
    if (directory_.fails(FaultPoint::kAppend)) {
      file_->append(bytes.first(bytes.size() / 2));
      directory_.throw_fault(name_, "write");
    }
    file_->append(bytes);
  }

  void close() override {
    directory_.check(FaultPoint::kClose, name_, "close");
    file_->close();
  }

 private:
  FaultDirectory& directory_;
  std::string name_;
  std::unique_ptr<OutputFile> file_;
};

FaultDirectory::FaultDirectory(Directory& base) : base_(base) {
  for (const std::string& name : base_.list()) {
    auto file = base_.open(name);
    auto bytes = file->bytes();
    names_[name] = std::make_shared<std::vector<uint8_t>>(bytes.begin(), bytes.end());
  }
  durable_names_ = names_;
}

FaultDirectory::~FaultDirectory() = default;

void FaultDirectory::fail(FaultPoint point, uint64_t nth, int error_number, bool for_good) {
  std::lock_guard guard(mutex_);
  point_ = point;
  fail_at_ = counts_[static_cast<size_t>(point)] + nth;
  error_number_ = error_number;
  for_good_ = for_good;
  failed_ = false;
}

void FaultDirectory::heal() {
  std::lock_guard guard(mutex_);
  fail_at_ = 0;
  failed_ = false;
}

bool FaultDirectory::failed() const {
  std::lock_guard guard(mutex_);
  return failed_;
}

uint64_t FaultDirectory::count(FaultPoint point) const {
  std::lock_guard guard(mutex_);
  return counts_[static_cast<size_t>(point)];
}

bool FaultDirectory::fails(FaultPoint point) {
  std::lock_guard guard(mutex_);
  ++counts_[static_cast<size_t>(point)];
  ++counts_[static_cast<size_t>(FaultPoint::kAny)];
  if (fail_at_ == 0) return false;
  if (failed_) return for_good_;
  bool counted = point_ == point || point_ == FaultPoint::kAny;
  failed_ = counted && counts_[static_cast<size_t>(point_)] == fail_at_;
  return failed_;
}

void FaultDirectory::throw_fault(const std::string& name, const char* operation) const {
  int error_number;
  {
    std::lock_guard guard(mutex_);
    error_number = error_number_;
  }
  throw_io_error(describe() + "/" + name, operation, error_number);
}

void FaultDirectory::check(FaultPoint point, const std::string& name, const char* operation) {
  if (fails(point)) throw_fault(name, operation);
}

std::unique_ptr<Directory> FaultDirectory::power_cut(Names names) const {
  std::lock_guard guard(mutex_);
  auto left = memory_directory();
  for (const auto& [name, bytes] : names == Names::kAll ? names_ : durable_names_) {
    auto out = left->create(name);
    out->append(*bytes);
    out->close();
  }
  return left;
}

std::string FaultDirectory::describe() const { return base_.describe(); }
std::vector<std::string> FaultDirectory::list() const { return base_.list(); }

std::unique_ptr<OutputFile> FaultDirectory::create(const std::string& name) {
  check(FaultPoint::kCreate, name, "create");
  auto file = base_.create(name);
  std::lock_guard guard(mutex_);
  names_[name] = std::make_shared<std::vector<uint8_t>>();
  return std::make_unique<Output>(*this, name, std::move(file));
}

std::unique_ptr<InputFile> FaultDirectory::open(const std::string& name) const {
  return base_.open(name);
}

uint64_t FaultDirectory::file_length(const std::string& name) const {
  return base_.file_length(name);
}

void FaultDirectory::remove(const std::string& name) {
  check(FaultPoint::kRemove, name, "delete");
  base_.remove(name);
  std::lock_guard guard(mutex_);
  names_.erase(name);
}

void FaultDirectory::rename(const std::string& from, const std::string& to) {
  check(FaultPoint::kRename, from, "rename");
  base_.rename(from, to);
  std::lock_guard guard(mutex_);
  auto node = names_.extract(from);
  names_.erase(to);
  node.key() = to;
  names_.insert(std::move(node));
}

void FaultDirectory::sync(std::span<const std::string> names) {
  for (const std::string& name : names) {
    check(FaultPoint::kSync, name, "fsync");
    base_.sync({&name, 1});
    auto file = base_.open(name);
    auto bytes = file->bytes();
    std::lock_guard guard(mutex_);
    names_.at(name)->assign(bytes.begin(), bytes.end());
  }
}

void FaultDirectory::sync_metadata() {
  check(FaultPoint::kSyncMetadata, "", "fsync the folder");
  base_.sync_metadata();
  std::lock_guard guard(mutex_);
  durable_names_ = names_;
}

std::unique_ptr<DirectoryLock> FaultDirectory::lock(const std::string& name) {
  return base_.lock(name);
}

}  // namespace postern::store
