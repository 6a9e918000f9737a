// What the commits of a directory say, apart from the inside of segments.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "check/findings.h"
#include "codec/field_infos.h"
#include "codec/segment_commit.h"
#include "postern/directory.h"

namespace postern::check {

// Reads the newest commit; nullopt, and a problem, if it cannot be read. Throws InvalidArgument if
// there is none.
std::optional<codec::Commit> open_newest_commit(const Directory& directory, Findings& findings);
// Names and numbers in the commit, and files in the directory that no commit needs.
void check_commit(const Directory& directory, const codec::Commit& commit, Findings& findings);

// What all segments must agree on (docs/formats/11 §4): the writer would refuse the index.
class FieldAgreement {
 public:
  explicit FieldAgreement(Findings& findings) : findings_(findings) {}
  void add(const std::string& segment, const codec::FieldInfos& fields);

 private:
  struct Seen {
    codec::FieldInfo field;
    std::string segment;
  };
  Findings& findings_;
  std::map<std::string, Seen> seen_;
};

}  // namespace postern::check
