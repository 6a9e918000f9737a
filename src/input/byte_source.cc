#include "input/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "postern/error.h"

namespace postern::input {

namespace {

class FileSource : public ByteSource {
 public:
  FileSource(const std::string& path, int stop_descriptor)
      : name_(path == "-" ? "standard input" : path),
        // Opening a named pipe must not wait for its writer: reading can be given up, this cannot.
        fd_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
        owned_(path != "-"),
        stop_descriptor_(stop_descriptor) {
    if (fd_ < 0)
      throw IoError(fmt::format("cannot open {}: {}", name_, std::strerror(errno)), errno);
    if (owned_) ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) & ~O_NONBLOCK);
    struct stat status {};
    may_wait_ = ::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode);
    // Advice only: some files (pipes) do not take it.
    if (owned_) ::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~FileSource() override {
    if (owned_) ::close(fd_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  size_t read(std::span<char> to) override {
    while (true) {
      if (may_wait_) wait();
      const ssize_t n = ::read(fd_, to.data(), to.size());
      if (n >= 0) {
        taken_ += static_cast<uint64_t>(n);
        return static_cast<size_t>(n);
      }
      if (errno != EINTR) {
        throw IoError(fmt::format("cannot read {}: {}", name_, std::strerror(errno)), errno);
      }
    }
  }
  uint64_t bytes_taken() const override { return taken_; }

 private:
  void wait() const {
    std::array<pollfd, 2> ready{{{fd_, POLLIN, 0}, {stop_descriptor_, POLLIN, 0}}};
    // An error here shows in the read that follows.
    while (::poll(ready.data(), ready.size(), -1) < 0 && errno == EINTR) {
    }
    if (ready[1].revents != 0) throw ReadStopped("waiting for " + name_ + " was given up");
  }

  std::string name_;
  int fd_;
  bool owned_;
  int stop_descriptor_;  // -1: none, which poll passes over
  bool may_wait_ = true;
  uint64_t taken_ = 0;
};

class MemorySource : public ByteSource {
 public:
  MemorySource(std::string_view bytes, size_t piece) : bytes_(bytes), piece_(piece) {}

  size_t read(std::span<char> to) override {
    const size_t n = std::min({to.size(), piece_, bytes_.size() - at_});
    if (n != 0) std::memcpy(to.data(), bytes_.data() + at_, n);
    at_ += n;
    return n;
  }
  uint64_t bytes_taken() const override { return at_; }

 private:
  std::string_view bytes_;
  size_t piece_;
  size_t at_ = 0;
};

// Gives back a few bytes that were looked at, then the rest.
class Replayed : public ByteSource {
 public:
  Replayed(std::string head, std::unique_ptr<ByteSource> rest)
      : head_(std::move(head)), rest_(std::move(rest)) {}

  size_t read(std::span<char> to) override {
    if (at_ == head_.size()) return rest_->read(to);
    const size_t n = std::min(to.size(), head_.size() - at_);
    std::memcpy(to.data(), head_.data() + at_, n);
    at_ += n;
    return n;
  }
  uint64_t bytes_taken() const override { return rest_->bytes_taken(); }

 private:
  std::string head_;
  size_t at_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

class GzipSource : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> in, std::string name)
      : in_(std::move(in)), name_(std::move(name)), buffer_(size_t{256} << 10) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw IoError("cannot start zlib", 0);
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  size_t read(std::span<char> to) override {
    const size_t wanted = std::min<size_t>(to.size(), size_t{1} << 30);
    stream_.next_out = reinterpret_cast<Bytef*>(to.data());
    stream_.avail_out = static_cast<uInt>(wanted);
    while (!finished_ && stream_.avail_out == wanted) {
      if (stream_.avail_in == 0) refill();
      if (stream_.avail_in == 0) {
        if (inside_member_) throw IoError(fmt::format("{}: the gzip data is cut off", name_), 0);
        finished_ = true;
        break;
      }
      inflate_some();
    }
    return wanted - stream_.avail_out;
  }
  uint64_t bytes_taken() const override { return in_->bytes_taken(); }

 private:
  void refill() {
    stream_.avail_in = static_cast<uInt>(in_->read(buffer_));
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
  }

  void inflate_some() {
    if (!inside_member_ && members_ > 0 && *stream_.next_in == 0) {
      // Zero bytes behind the last member are padding, as tapes and some archivers write it.
      ++stream_.next_in;
      --stream_.avail_in;
      return;
    }
    inside_member_ = true;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      inside_member_ = false;
      ++members_;
      inflateReset(&stream_);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      throw IoError(fmt::format("{}: damaged gzip data before byte {}: {}", name_,
                                in_->bytes_taken() - stream_.avail_in,
                                stream_.msg != nullptr ? stream_.msg : "unknown reason"),
                    0);
    }
  }

  std::unique_ptr<ByteSource> in_;
  std::string name_;
  std::vector<char> buffer_;
  z_stream stream_{};
  bool inside_member_ = false;
  bool finished_ = false;
  uint64_t members_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> memory_byte_source(std::string_view bytes, size_t piece) {
  return std::make_unique<MemorySource>(bytes, piece);
}

std::unique_ptr<ByteSource> gzip_byte_source(std::unique_ptr<ByteSource> compressed,
                                             std::string name) {
  return std::make_unique<GzipSource>(std::move(compressed), std::move(name));
}

std::unique_ptr<ByteSource> open_byte_source(const std::string& path, int stop_descriptor) {
  std::unique_ptr<ByteSource> source = std::make_unique<FileSource>(path, stop_descriptor);
  std::string head(2, '\0');
  size_t have = 0;
  while (have < head.size()) {
    const size_t n = source->read(std::span<char>(head).subspan(have));
    if (n == 0) break;
    have += n;
  }
  head.resize(have);
  const bool is_gzip = head == "\x1F\x8B";
  if (!is_gzip && have != 0 && path.ends_with(".gz")) {
    throw IoError(fmt::format("{}: it is not gzip data, though its name ends in .gz", path), 0);
  }
  source = std::make_unique<Replayed>(std::move(head), std::move(source));
  return is_gzip ? gzip_byte_source(std::move(source), path) : std::move(source);
}

std::string read_all(ByteSource& source, const std::string& name, size_t most) {
  std::string text;
  while (true) {
    const size_t have = text.size();
    text.resize(have + std::max<size_t>(have / 2, size_t{64} << 10));
    const size_t n = source.read(std::span<char>(text).subspan(have));
    text.resize(have + n);
    if (n == 0) return text;
    if (text.size() > most) {
      throw LimitExceeded(fmt::format("{} is larger than {} bytes", name, most));
    }
  }
}

}  // namespace postern::input
