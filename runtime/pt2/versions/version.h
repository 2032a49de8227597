// Which schema versions can be read from JSON, binary files and archives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Returns "8.20", or "1" and "2" for the two schemas without a minor version.
std::string version_text(const SchemaVersion& version);

/// Whether documents of a version can be read. 0.0 was never released and is not a wildcard.
enum class VersionSupport {
  readable,        // the current major, up to the current minor
  newer_minor,     // the current major: readable if fields added since then are empty
  older_release,   // readable after an upgrade (see upgrade.h), JSON only
  newer_major,     // not readable
  never_released,  // not readable
};
VersionSupport support_for(const SchemaVersion& version);

/// Encodings of programs. Binary files can be read only by code of the same major version.
enum class Encoding { json, binary };

/// Returns why a program of `version` cannot be read, with a hint; nullopt if it can be read.
std::optional<std::string> why_unreadable(const SchemaVersion& version, Encoding encoding);

/// Throws DataError with the path `schema_version` if why_unreadable() returns a reason.
void require_readable(const SchemaVersion& version, Encoding encoding);

/// Throws DataError if an archive (torch 2.8 or later) with this `archive_version` cannot be read.
void require_readable_archive(std::string_view archive_version);

/// Throws DataError if a program needs operator sets newer than `supported`, the newest versions by namespace
/// that the caller can run, e.g. {"aten": 10}. Other namespaces are not checked.
void check_opset(const ExportedProgram& program, const schemagen::Map<std::int64_t>& supported);

}  // namespace pt2
