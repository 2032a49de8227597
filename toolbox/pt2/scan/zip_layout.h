// Finds ambiguities in zip archives. Readers look in different places, so they can see different contents in
// an ambiguous archive. Only one layout is unambiguous.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pt2/archive/zip.h"
#include "pt2/findings/rules.h"
#include "schemagen/base/limits.h"

namespace pt2 {

struct ZipTrick {
  RuleId rule = RuleId::zip_trick;
  std::string what;
  std::string message;
  std::uint64_t position = 0;
};

struct ZipLayout {
  std::vector<ZipMember> members;
  /// The ambiguities, at most 1000. Empty if the archive begins with a member and ends with its only end
  /// record, without a comment; members, directory and end records are contiguous; each member is stored or
  /// deflated, and its local header agrees with the directory; names are relative paths without `..`, unique
  /// even if ASCII case is ignored.
  std::vector<ZipTrick> tricks;
  SparseBytes bytes;
};

/// Returns whether readers that start at the end find an end record.
bool ends_like_zip(const SparseBytes& bytes);

/// Throws DataError if there is no readable central directory.
ZipLayout lay_out_zip(const SparseBytes& bytes, const schemagen::Limits& limits);

/// Returns the bytes of a member, or no bytes if they are outside the archive.
SparseBytes packed_member(const SparseBytes& archive, const ZipMember& member);

}  // namespace pt2
