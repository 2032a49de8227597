// Copies of archives in which some members are others.
#pragma once

#include <string>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/zip_writer.h"

namespace pt2 {

/// A member with its new content.
struct NewMember {
  std::string name;  // with the archive's top folder
  std::string content;
};

/// Writes `archive` again, with the contents of `changed` in place of those members' own; members that it
/// does not have come last. All others keep their names, their order and their content, byte for byte;
/// members that were compressed are so no more. Errors: DataError of ZipReader::read(); those of `out`.
void rewrite_archive(const Archive& archive, const std::vector<NewMember>& changed, const ByteSink& out);

/// What an old zip needs beside its program for torch 2.13 to load it as one of the head version: the
/// version, and members that the first releases did not write. Those are empty, which is read as "none".
/// Nothing for PT2 archives.
std::vector<NewMember> head_members(const Archive& archive);

}  // namespace pt2
