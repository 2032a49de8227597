// Lists what an archive contains besides programs and weights, by record name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"

namespace pt2 {

/// The contents of an archive. All lists are in the archive's order. Record names do not include the
/// top-level folder.
struct ArchiveContents {
  std::vector<std::string> aotinductor;    // names of compiled models
  std::vector<std::string> executorch;     // names of files
  std::vector<std::string> sample_inputs;  // names of models that have sample inputs
  std::vector<std::string> extra;          // names of records that the user added
  /// Names of records of unknown kinds, e.g. records that other runtimes added.
  std::vector<std::string> other;
};

ArchiveContents contents_of(const Archive& archive);

/// Returns a text such as `a package of the compiled models 'a', 'b' (AOTInductor)`. Returns an empty string
/// if the archive contains an exported program, or no compiled model.
std::string compiled_package_text(const Archive& archive);

/// Returns whether this member of an old zip is of an unknown kind.
bool is_unknown_old_member(const ZipMember& member);

/// Returns the member's name without the top-level folder, or an empty string if the member is not in that
/// folder.
std::string_view record_name(const Archive& archive, const ZipMember& member);

/// Returns whether the record describes the zip archive that contains it: its byte order, version or
/// checksums. A copy of the archive needs new records of this kind.
bool is_of_zip(std::string_view record);

/// Returns whether is_of_zip() is true for the record, or whether the record marks the zip as a PT2 archive
/// or contains the archive's version.
bool is_of_archive(std::string_view record);

}  // namespace pt2
