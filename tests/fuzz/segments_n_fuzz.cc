#include "codec/segment_commit.h"
#include "sealed_file.h"

// The segments that the input may refer to: _0 and _1, of 100 documents.
static void add_segments(postern::Directory& directory) {
  using namespace postern;
  for (const char* name : {"_0", "_1"}) {
    codec::SegmentInfo info;
    info.name = name;
    info.id = fuzz::kId;
    info.max_doc = 100;
    info.files = {std::string(name) + ".si"};
    codec::write_segment_info(directory, info);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  auto directory = memory_directory();
  add_segments(*directory);
  fuzz::put(*directory, "segments_1", data, size, "segments", 10, "1");
  try {
    // What is accepted can be written again.
    auto commit = codec::read_commit(*directory, 1);
    commit.files();
    commit.generation = 2;
    directory->rename(codec::write_pending_commit(*directory, commit), "segments_2");
    codec::read_latest_commit(*directory);
  } catch (const CorruptIndex&) {
  } catch (const NotSupported&) {
  } catch (const IoError&) {
    // A segment that is not there.
  }
  return 0;
}
