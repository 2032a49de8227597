// Copies of archives in which some members are replaced.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"

namespace pt2 {

/// A member with its new content.
struct NewMember {
  std::string name;  // with the archive's top folder
  std::string content;
};

/// Adds the content of `member` of `zip` to `out`, under `name`, in parts. Errors: DataError of
/// ZipReader::copy(); those of the sink of `out`.
void copy_member(const ZipReader& zip, const ZipMember& member, std::string_view name, ZipWriter& out);

/// Writes `archive` again, with the contents of `changed` in place of those members' own; members that it
/// does not have come last. All others keep their names, their order and their content, byte for byte;
/// members that were compressed are so no more. Errors: DataError of ZipReader::read(); those of `out`.
void rewrite_archive(const Archive& archive, const std::vector<NewMember>& changed, const ByteSink& out);

/// Writes the member to the writer, and returns true; or returns false, and it is copied.
using ReplaceMember = std::function<bool(const ZipMember&, ZipWriter&)>;

/// Writes `archive` again, with what `replace` writes in place of members. Errors: as copy_member(); those of
/// `replace`.
void rewrite_archive(const Archive& archive, const ReplaceMember& replace, const ByteSink& out);

/// What an old zip needs beside a program of schema 8.x for torch 2.13 to load it: the program's version, and
/// members that the first releases did not write. Those are empty, which is read as "none". Nothing for PT2
/// archives, and for old zips that have it all.
std::vector<NewMember> version_members(const Archive& archive, const SchemaVersion& program_version);

}  // namespace pt2
