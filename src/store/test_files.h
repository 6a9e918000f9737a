// For tests of anything that reads files: bytes in and out of directories, and damage to them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/directory.h"
#include "postern/error.h"
#include "store/codec_header.h"

namespace postern::store {

using Bytes = std::vector<uint8_t>;

inline Bytes read_file(const Directory& directory, const std::string& name) {
  auto file = directory.open(name);
  return {file->bytes().begin(), file->bytes().end()};
}

// Replaces the file if there is one.
inline void put_file(Directory& directory, const std::string& name,
                     std::span<const uint8_t> bytes) {
  auto names = directory.list();
  if (std::ranges::find(names, name) != names.end()) directory.remove(name);
  auto out = directory.create(name);
  out->append(bytes);
  out->close();
}

// Hex digits, white space ignored.
inline Bytes from_hex(std::string_view hex) {
  auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  Bytes out;
  int high = -1;
  for (char c : hex) {
    if (c == ' ' || c == '\n') continue;
    if (high < 0) {
      high = digit(c);
    } else {
      out.push_back(static_cast<uint8_t>(high << 4 | digit(c)));
      high = -1;
    }
  }
  return out;
}

inline std::string to_hex(std::span<const uint8_t> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (uint8_t b : bytes) {
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}

// Makes the checksum right again, so that damage reaches what stands behind it.
inline void reseal(Bytes& file) {
  ASSERT_GE(file.size(), kFooterLength);
  uint32_t crc = crc32(0, std::span<const uint8_t>(file).first(file.size() - 8));
  store_be64(file.data() + file.size() - 8, crc);
}

// The message of the CorruptIndex or NotSupported that `read` must throw.
inline std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const CorruptIndex& e) {
    return e.what();
  } catch (const NotSupported& e) {
    return e.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

// `read` reads the file `name`. Every flipped bit and every truncation must be refused by a
// CorruptIndex (or NotSupported) that names the file; with the checksum made right again, bytes may
// also be accepted or refused by another Error, but nothing worse may happen (the sanitizers
// watch).
inline void expect_damage_refused(Directory& directory, const std::string& name,
                                  const std::function<void()>& read) {
  const Bytes good = read_file(directory, name);
  ASSERT_NO_THROW(read());
  auto attempt = [&](std::span<const uint8_t> bytes, const std::string& what) {
    put_file(directory, name, bytes);
    std::string message = refusal(read);
    EXPECT_NE(message.find(name), std::string::npos) << what << ": " << message;
  };
  for (size_t size = 0; size < good.size(); ++size)
    attempt(std::span(good).first(size), "a cut at byte " + std::to_string(size));
  Bytes longer = good;
  longer.push_back(0);
  attempt(longer, "a byte too many");
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    Bytes bad = good;
    bad[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    attempt(bad, "flipped bit " + std::to_string(bit));
    reseal(bad);
    put_file(directory, name, bad);
    try {
      read();
    } catch (const Error&) {
      // Refused: as good as accepted, since the checksum says that somebody meant it.
    }
  }
  put_file(directory, name, good);
  ASSERT_NO_THROW(read());
}

// A new empty folder, removed with everything in it at the end.
class TempFolder {
 public:
  explicit TempFolder(const std::string& suffix = "") {
    std::string pattern = (std::filesystem::temp_directory_path() / "postern-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw IoError("mkdtemp " + pattern, errno);
    root_ = pattern;
    path_ = suffix.empty() ? root_ : root_ / suffix;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path root_;
  std::filesystem::path path_;
};

}  // namespace postern::store
