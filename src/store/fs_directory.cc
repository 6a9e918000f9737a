// open_directory: a folder of the file system (docs/formats/10 §7).
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "postern/directory.h"
#include "postern/error.h"
#include "store/file_lock.h"
#include "store/io_errors.h"

namespace postern {
namespace {

using store::throw_io_error;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

class FsOutput : public OutputFile {
 public:
  FsOutput(std::string folder, std::string path)
      : folder_(std::move(folder)),
        path_(std::move(path)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (file_.get() < 0) throw_io_error(path_, "create", errno);
  }

  void append(std::span<const uint8_t> bytes) override {
    while (!bytes.empty()) {
      ssize_t n = ::write(file_.get(), bytes.data(), bytes.size());
      if (n < 0) {
        if (errno == EINTR) continue;
        store::throw_write_error(path_, folder_, bytes.size(), written_, errno);
      }
      written_ += static_cast<uint64_t>(n);
      bytes = bytes.subspan(static_cast<size_t>(n));
    }
  }

  void close() override {
    int fd = file_.release();
    // After EINTR Linux has closed the descriptor all the same.
    if (fd >= 0 && ::close(fd) != 0 && errno != EINTR) throw_io_error(path_, "close", errno);
  }

 private:
  std::string folder_;
  std::string path_;
  Descriptor file_;
  uint64_t written_ = 0;
};

class MappedInput : public InputFile {
 public:
  explicit MappedInput(const std::string& path) {
    // Without waiting for the writer of what may be a named pipe.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) throw_io_error(path, "open", errno);
    struct stat s;
    if (::fstat(file.get(), &s) != 0) throw_io_error(path, "stat", errno);
    if (!S_ISREG(s.st_mode)) throw IoError(path + ": is not a regular file", 0);
    size_ = static_cast<size_t>(s.st_size);
    if (size_ == 0) return;
    void* p = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.get(), 0);
    if (p == MAP_FAILED) throw_io_error(path, "map " + std::to_string(size_) + " bytes", errno);
    data_ = p;
  }
  ~MappedInput() override {
    if (data_ != nullptr) ::munmap(data_, size_);
  }
  MappedInput(const MappedInput&) = delete;
  MappedInput& operator=(const MappedInput&) = delete;
  std::span<const uint8_t> bytes() const override {
    return {static_cast<const uint8_t*>(data_), size_};
  }
  // Mapped pages count as the process's memory until they are dropped; the file's cache keeps them.
  void done_with(size_t offset, size_t length) const override {
    static const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    size_t from = offset / page * page;
    size_t to = offset + length == size_ ? size_ : (offset + length) / page * page;
    if (from < to) ::madvise(static_cast<uint8_t*>(data_) + from, to - from, MADV_DONTNEED);
  }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

Descriptor open_to_sync(const std::string& path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
  if (file.get() < 0) throw_io_error(path, "open for fsync", errno);
  return file;
}

void sync_path(const std::string& path, int flags) {
  const Descriptor file = open_to_sync(path, flags);
  if (::fsync(file.get()) != 0) throw_io_error(path, "fsync", errno);
}

// Asks the kernel to begin writing the file; an error of that comes back with the fsync.
void start_writing(const std::string& path) {
#if defined(__linux__)
  ::sync_file_range(open_to_sync(path, O_WRONLY).get(), 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
}

class FsDirectory : public Directory {
 public:
  // `path` is a real path, so that a symbolic link switched later changes nothing.
  explicit FsDirectory(std::string path) : path_(std::move(path)) {}

  std::string describe() const override { return path_; }

  std::vector<std::string> list() const override {
    std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(path_.c_str()), ::closedir);
    if (dir == nullptr) throw_io_error(path_, "list", errno);
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = ::readdir(dir.get())) {
      std::string name = entry->d_name;
      if (!is_folder(name, entry->d_type)) names.push_back(std::move(name));
      errno = 0;
    }
    if (errno != 0) throw_io_error(path_, "list", errno);
    std::ranges::sort(names);
    return names;
  }

  std::unique_ptr<OutputFile> create(const std::string& name) override {
    return std::make_unique<FsOutput>(path_, file(name));
  }

  std::unique_ptr<InputFile> open(const std::string& name) const override {
    return std::make_unique<MappedInput>(file(name));
  }

  uint64_t file_length(const std::string& name) const override {
    struct stat s;
    std::string path = file(name, kMayBeLock);
    if (::stat(path.c_str(), &s) != 0) throw_io_error(path, "stat", errno);
    return static_cast<uint64_t>(s.st_size);
  }

  void remove(const std::string& name) override {
    std::string path = file(name, kMayBeLock);
    if (::unlink(path.c_str()) != 0) throw_io_error(path, "delete", errno);
  }

  void rename(const std::string& from, const std::string& to) override {
    std::string source = file(from, kMayBeLock);
    std::string target = file(to, kMayBeLock);
    if (::rename(source.c_str(), target.c_str()) != 0)
      throw_io_error(source, "rename to " + to, errno);
  }

  void sync(std::span<const std::string> names) override {
    // All files begin to be written before the first is waited for: their blocks then get their
    // places together, and one commit of the file system's journal serves all of them.
    for (const std::string& name : names) start_writing(file(name));
    for (const std::string& name : names) sync_path(file(name), O_WRONLY);
  }

  void sync_metadata() override { sync_path(path_, O_RDONLY | O_DIRECTORY); }

  std::unique_ptr<DirectoryLock> lock(const std::string& name) override {
    store::check_file_name(path_, name);
    return store::lock_file(path_, name);
  }

 private:
  enum Lock { kNeverLock, kMayBeLock };

  std::string file(const std::string& name, Lock lock = kNeverLock) const {
    store::check_file_name(path_, name);
    std::string path = path_ + "/" + name;
    if (lock == kNeverLock) store::check_not_locked_here(path);
    return path;
  }

  bool is_folder(const std::string& name, unsigned char type) const {
    if (name == "." || name == "..") return true;
    if (type != DT_UNKNOWN && type != DT_LNK) return type == DT_DIR;
    struct stat s;
    return ::stat((path_ + "/" + name).c_str(), &s) == 0 && S_ISDIR(s.st_mode);
  }

  std::string path_;
};

// Creates missing folders and makes their names durable, each in its parent.
void create_folders(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> missing;
  std::filesystem::path at = path;
  struct stat s;
  while (::stat(at.c_str(), &s) != 0) {
    if (errno != ENOENT) throw_io_error(at.string(), "open the folder", errno);
    missing.push_back(at);
    at = at.parent_path();
  }
  if (!S_ISDIR(s.st_mode)) throw_io_error(at.string(), "open the folder", ENOTDIR);
  for (; !missing.empty(); missing.pop_back()) {
    const std::filesystem::path& folder = missing.back();
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
      throw_io_error(folder.string(), "create the folder", errno);
    sync_path(folder.parent_path().string(), O_RDONLY | O_DIRECTORY);
  }
}

}  // namespace

std::unique_ptr<Directory> open_directory(const std::filesystem::path& path) {
  if (path.empty()) throw InvalidArgument("the path of a directory is empty");
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(path, error).lexically_normal();
  if (error) throw_io_error(path.string(), "find the folder", error.value());
  if (!absolute.has_filename() && absolute.has_relative_path()) absolute = absolute.parent_path();
  create_folders(absolute);
  std::unique_ptr<char, void (*)(void*)> real(::realpath(absolute.c_str(), nullptr), ::free);
  if (real == nullptr) throw_io_error(absolute.string(), "resolve the folder", errno);
  return std::make_unique<FsDirectory>(real.get());
}

}  // namespace postern
