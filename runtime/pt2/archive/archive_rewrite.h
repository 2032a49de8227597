// Copies archives and replaces some of their members.
#pragma once

#include "pt2/archive/archive.h"

namespace pt2 {

/// A member with new content.
struct NewMember {
  std::string name;  // the member's name, including the archive's top-level folder
  std::string content;
};

/// Streams `member` of `zip` to `out` under the name `name`. Throws whatever ZipReader::copy() and the sink
/// of `out` throw.
void copy_member(const ZipReader& zip, const ZipMember& member, std::string_view name, ZipWriter& out);

/// Writes a copy of `archive` in which the members in `changed` have their new content. Members in `changed`
/// that `archive` lacks come last. All other members keep their names, order and content byte for byte, but
/// the copy stores them uncompressed. Throws whatever ZipReader::read() and `out` throw.
void rewrite_archive(const Archive& archive, const std::vector<NewMember>& changed, const ByteSink& out);

/// Returns the members that an old zip with a program of the current schema still needs before torch 2.13 can
/// load it. These are the program's version, and an empty member in place of each member that the first
/// releases did not write; torch reads an empty member as "none". Returns nothing if `archive` is a PT2
/// archive or an old zip without missing members.
std::vector<NewMember> version_members(const Archive& archive, const SchemaVersion& program_version);

}  // namespace pt2
