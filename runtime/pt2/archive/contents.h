// Lists what an archive contains besides programs and weights, by record name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"

namespace pt2 {

/// The lists are in the archive's order. Record names lack the top folder.
struct ArchiveContents {
  std::vector<std::string> aotinductor;    // names of compiled models
  std::vector<std::string> executorch;     // names of files
  std::vector<std::string> sample_inputs;  // names of models that have sample inputs
  std::vector<std::string> extra;          // records that the user added
  std::vector<std::string> other;          // records of unknown kinds, e.g. from other runtimes
};

ArchiveContents contents_of(const Archive& archive);

/// Returns whether a member of an old zip is of an unknown kind.
bool is_unknown_old_member(const ZipMember& member);

/// Returns the name of the member without the top folder; empty if the member is outside it.
std::string_view record_name(const Archive& archive, const ZipMember& member);

/// Returns whether the record describes the zip archive that contains it (byte order, version or checksums),
/// so that a copy of the archive needs a new one.
bool is_of_zip(std::string_view record);

/// Returns whether is_of_zip() is true or the record marks the zip as a PT2 archive of some version.
bool is_of_archive(std::string_view record);

}  // namespace pt2
