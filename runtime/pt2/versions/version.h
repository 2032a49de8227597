// Support for schema versions, in JSON, binary files and archives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// "8.20"; "1" and "2" for the two schemas without a minor.
std::string version_text(const SchemaVersion& version);

/// How documents of a version can be read. 0.0 was never released and is not a wildcard.
enum class VersionSupport {
  readable,        // the head's major, up to the head's minor
  newer_minor,     // the head's major: can be read if fields added since are empty
  older_release,   // can be read after an upgrade (see upgrade.h), JSON only
  newer_major,     // cannot be read
  never_released,  // cannot be read
};
VersionSupport support_for(const SchemaVersion& version);

/// Binary files can only be read by their own major version.
enum class Encoding { json, binary };

/// Returns why a program of `version` cannot be read, with a hint; nullopt if it can.
std::optional<std::string> why_unreadable(const SchemaVersion& version, Encoding encoding);

/// Throws DataError with the path `schema_version` if why_unreadable() returns a reason.
void require_readable(const SchemaVersion& version, Encoding encoding);

/// Throws DataError if an archive (torch 2.8 or later) with this `archive_version` cannot be read.
void require_readable_archive(std::string_view archive_version);

/// Throws DataError if a program needs newer operator sets than `supported`, the newest versions by namespace
/// that the caller can run, e.g. {"aten": 10}. Other namespaces are not checked.
void check_opset(const ExportedProgram& program, const schemagen::Map<std::int64_t>& supported);

}  // namespace pt2
