#include "check/file_check.h"

#include "codec/compound.h"
#include "store/codec_header.h"

namespace postern::check {
namespace {

constexpr const char* kPart = "files";

void check_bytes(std::span<const uint8_t> bytes, const std::string& name) {
  store::check_footer(bytes, name, true);
  ByteReader in(bytes, name);
  if (in.read_be32() != store::kHeaderMagic) in.fail("does not begin with a codec header");
}

}  // namespace

void check_file(const Directory& directory, const std::string& name, const std::string& segment,
                Findings& findings, Meter& meter) {
  try {
    const auto file = directory.open(name);
    check_bytes(file->bytes(), name);
    meter.done(file->bytes().size());
  } catch (const Error& e) {
    findings.caught(segment, kPart, e);
  }
}

void check_segment_files(const Directory& directory, const codec::SegmentCommitInfo& segment,
                         Findings& findings, Meter& meter) {
  const std::string& name = segment.info.name;
  for (const std::string& file : segment.files())
    check_file(directory, file, name, findings, meter);
  if (!segment.info.compound) return;
  try {
    const codec::CompoundReader inner(directory, name, segment.info.id);
    for (const std::string& file : inner.list()) {
      try {
        check_bytes(inner.open(file)->bytes(), file + " in " + name + ".cfs");
      } catch (const Error& e) {
        findings.caught(name, kPart, e);
      }
    }
  } catch (const Error& e) {
    findings.caught(name, kPart, e);
  }
}

uint64_t bytes_of_files(const Directory& directory, const codec::SegmentCommitInfo& segment) {
  uint64_t bytes = 0;
  for (const std::string& file : segment.files()) {
    try {
      bytes += directory.file_length(file);
    } catch (const IoError&) {
      // It is reported where it is opened.
    }
  }
  return bytes;
}

}  // namespace postern::check
