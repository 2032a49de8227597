// The layout of a zip archive. Readers look in different places, so an ambiguous archive can show them
// different contents. Exactly one layout is unambiguous.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/zip.h"
#include "pt2/findings/rules.h"
#include "schemagen/base/limits.h"

namespace pt2 {

/// A deviation from that layout.
struct ZipTrick {
  RuleId rule = RuleId::zip_trick;  // or record_name
  std::string what;                 // the member; empty: the archive
  std::string message;
  std::uint64_t position = 0;
};

/// A zip archive according to its central directory.
struct ZipLayout {
  std::vector<ZipMember> members;
  /// At most 1000. Empty: the archive begins with a member and ends with its only end record, without a
  /// comment; members, directory and end records are contiguous; each member is stored or deflated, and its
  /// local header agrees with the directory; names are relative paths without `..`, unique without regard to
  /// ASCII case.
  std::vector<ZipTrick> tricks;
  std::string_view bytes;  // without bytes before and after the archive
};

/// Returns whether there is an end record where readers that start at the end look for it.
bool ends_like_zip(std::string_view bytes);

/// Throws DataError if there is no readable central directory.
ZipLayout lay_out_zip(std::string_view bytes, const schemagen::Limits& limits);

/// Returns the stored bytes of a member; empty if they are outside of the archive.
std::string_view packed_member(std::string_view archive, const ZipMember& member);

}  // namespace pt2
