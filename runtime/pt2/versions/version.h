// Determines which schema versions can be read from JSON, binary files and archives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Returns a version as text, e.g. "8.20". For the two schemas without a minor version, returns "1" and "2".
std::string version_text(const SchemaVersion& version);

/// Returns the released major versions before the current one, e.g. "1, 2, 5.x, 7.x".
std::string older_majors();

/// Whether `a` is an earlier version than `b`.
bool is_before(const SchemaVersion& a, const SchemaVersion& b);

/// Whether documents of a schema version can be read. 0.0 was never released; it is not a wildcard.
enum class VersionSupport {
  readable,        // the current major version, up to the current minor version
  newer_minor,     // the current major version with a newer minor version: readable if the newer fields are
                   // empty
  older_release,   // readable after an upgrade (see upgrade.h), but only from JSON
  newer_major,     // not readable
  never_released,  // not readable
};
VersionSupport support_for(const SchemaVersion& version);

/// How a program is encoded. A binary file can only be read by code with the same major schema version.
enum class Encoding { json, binary };

/// Returns why a program of `version` cannot be read, with a hint, or nullopt if it can be read.
std::optional<std::string> why_unreadable(const SchemaVersion& version, Encoding encoding);

/// Throws DataError with the path `schema_version` if why_unreadable() returns a reason.
void require_readable(const SchemaVersion& version, Encoding encoding);

/// Returns whether torch reads PT2 archives with programs of this version. Older releases read only their own
/// zip files.
bool has_pt2_archives(const SchemaVersion& version);

/// Returns whether torch reads raw tensors from such archives. Older releases read only pickles.
bool has_raw_weights(const SchemaVersion& version);

/// Throws DataError if archives (of torch 2.8 or later) with this `archive_version` cannot be read.
void require_readable_archive(std::string_view archive_version);

/// Throws DataError if `program` needs a newer operator set than the caller can run. `supported` maps
/// namespaces to the newest supported versions, e.g. {"aten": 10}. Other namespaces are not checked.
void check_opset(const ExportedProgram& program, const schemagen::Map<std::int64_t>& supported);

}  // namespace pt2
