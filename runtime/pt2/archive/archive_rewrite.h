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
  std::string name;  // with the archive's top folder
  std::string content;
};

/// Streams `member` of `zip` to `out`, named `name`. Errors: DataError of ZipReader::copy(); those of the
/// sink of `out`.
void copy_member(const ZipReader& zip, const ZipMember& member, std::string_view name, ZipWriter& out);

/// Writes a copy of `archive` with the contents of `changed`; new members come last. All other members
/// keep their names, order and content, byte for byte; compressed members are stored instead. Errors:
/// DataError of ZipReader::read(); those of `out`.
void rewrite_archive(const Archive& archive, const std::vector<NewMember>& changed, const ByteSink& out);

/// Writes the member to the writer and returns true, or returns false to have it copied.
using ReplaceMember = std::function<bool(const ZipMember&, ZipWriter&)>;

/// Writes a copy of `archive`, with what `replace` writes in place of members. Errors: those of
/// copy_member() and `replace`.
void rewrite_archive(const Archive& archive, const ReplaceMember& replace, const ByteSink& out);

/// Returns what an old zip needs besides a program of schema 8.x for torch 2.13 to load it: the program's
/// version, and members that the first releases did not write, which are empty and read as "none". Empty
/// for PT2 archives and complete old zips.
std::vector<NewMember> version_members(const Archive& archive, const SchemaVersion& program_version);

}  // namespace pt2
