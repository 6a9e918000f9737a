// Headers, footers and checksums of whole files (docs/formats/10 §3).
#pragma once

#include <string>

#include "check/findings.h"
#include "codec/segment_commit.h"
#include "postern/directory.h"

namespace postern::check {

// One file with a codec header, a footer, and a right checksum.
void check_file(const Directory& directory, const std::string& name, const std::string& segment,
                Findings& findings, Meter& meter);
// All files of a segment, those inside a compound file too.
void check_segment_files(const Directory& directory, const codec::SegmentCommitInfo& segment,
                         Findings& findings, Meter& meter);
// Bytes of those files, as check_segment_files counts them; missing ones count nothing.
uint64_t bytes_of_files(const Directory& directory, const codec::SegmentCommitInfo& segment);

}  // namespace postern::check
