// How the bytes of a zip archive are laid out. Readers differ in where they look, so that one can be shown
// another content than the next; exactly one layout leaves no choice to them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/zip.h"
#include "pt2/findings/rules.h"
#include "schemagen/base/limits.h"

namespace pt2 {

/// What is not as in that layout.
struct ZipTrick {
  RuleId rule = RuleId::zip_trick;  // or record_name
  std::string what;                 // the member; empty: the archive
  std::string message;
  std::uint64_t position = 0;
};

/// A zip archive as its central directory has it, whatever else is wrong.
struct ZipLayout {
  std::vector<ZipMember> members;
  /// At most 1000. None: the archive begins with a member and ends with an end record that has no comment and
  /// is the only one there; members, the directory and the end records follow one another without a gap; each
  /// member is stored or deflated and stands in its local header as in the directory; their names are
  /// relative paths that only lead down, unique without regard to ASCII case.
  std::vector<ZipTrick> tricks;
  std::string_view bytes;  // without what precedes or follows the archive
};

/// Whether there is an end record where readers look for one that go by the end.
bool ends_like_zip(std::string_view bytes);

/// Errors: DataError if there is no central directory that can be read.
ZipLayout lay_out_zip(std::string_view bytes, const schemagen::Limits& limits);

/// The bytes of a member as they stand in the archive, compressed or not; empty: they are not in it.
std::string_view packed_member(std::string_view archive, const ZipMember& member);

}  // namespace pt2
