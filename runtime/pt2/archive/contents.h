// What an archive holds beside programs and their weights, by the names of its records.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"

namespace pt2 {

/// In the order of the archive. Records are named without the top folder.
struct ArchiveContents {
  std::vector<std::string> aotinductor;    // names of models that were compiled
  std::vector<std::string> executorch;     // names of files
  std::vector<std::string> sample_inputs;  // names of the models that have some
  std::vector<std::string> extra;          // records that the user added
  std::vector<std::string> other;          // records that are not known, such as those of other runtimes
};

ArchiveContents contents_of(const Archive& archive);

/// Whether it is not known what a member of an old zip is.
bool is_unknown_old_member(const ZipMember& member);

/// The name of the member without the top folder; empty for what lies outside of it.
std::string_view record_name(const Archive& archive, const ZipMember& member);

/// Whether the record tells of the zip archive that it is in, and is written anew with each: its byte order,
/// version and checksums.
bool is_of_zip(std::string_view record);

/// Whether it does, or tells that the zip archive is a PT2 archive, and of which version.
bool is_of_archive(std::string_view record);

}  // namespace pt2
