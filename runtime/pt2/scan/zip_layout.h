// How the bytes of a zip archive are laid out. Readers differ in where they look, so that one can be shown
// another content than the next. Functions may be called from several threads at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/zip_directory.h"
#include "schemagen/value/limits.h"

namespace pt2 {

struct ZipTrick {
  std::string what;  // the member; empty: the archive
  std::string message;
  std::uint64_t position = 0;
};

/// A zip archive as its central directory has it, whatever else is wrong.
struct ZipLayout {
  std::vector<ZipMember> members;
  std::vector<ZipTrick> tricks;
  std::string_view bytes;  // without what follows the archive
};

/// Whether an archive ends in the last bytes, as readers find it that go by the end.
bool ends_like_zip(std::string_view bytes);

/// Errors: DataError if there is no central directory that can be read.
ZipLayout lay_out_zip(std::string_view bytes, const schemagen::Limits& limits);

/// The bytes of a member as they stand in the archive, compressed or not; empty: they are not in it.
std::string_view packed_member(std::string_view archive, const ZipMember& member);

}  // namespace pt2
