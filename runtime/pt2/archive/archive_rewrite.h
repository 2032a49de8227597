// Copies of archives in which some members are replaced.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"

namespace pt2 {

/// A member with new content.
struct NewMember {
  std::string name;  // including the archive's top folder
  std::string content;
};

/// Streams `member` of `zip` to `out`, named `name`. Throws the DataErrors of ZipReader::copy(), and what the
/// sink of `out` throws.
void copy_member(const ZipReader& zip, const ZipMember& member, std::string_view name, ZipWriter& out);

/// Writes a copy of `archive` with the contents of `changed`; new members come last. All other members keep
/// their names, order and content, byte for byte, except that compressed members are stored. Throws the
/// DataErrors of ZipReader::read(), and what `out` throws.
void rewrite_archive(const Archive& archive, const std::vector<NewMember>& changed, const ByteSink& out);

/// Either writes a member to the writer and returns true, or returns false so that it is copied.
using ReplaceMember = std::function<bool(const ZipMember&, ZipWriter&)>;

/// Writes a copy of `archive` in which `replace` can replace members. Throws the errors of copy_member() and
/// what `replace` throws.
void rewrite_archive(const Archive& archive, const ReplaceMember& replace, const ByteSink& out);

/// Returns the members that an old zip needs, besides a program of schema 8.x, for torch 2.13 to load it: the
/// program's version, and members that the first releases did not write, which are empty and read as "none".
/// Returns nothing for PT2 archives and complete old zips.
std::vector<NewMember> version_members(const Archive& archive, const SchemaVersion& program_version);

}  // namespace pt2
