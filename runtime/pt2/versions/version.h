// Which versions of the schema can be read, how, and what to do about the others: for JSON, binary files
// and archives alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// "8.20"; "1" and "2" of the two schemas that had a major only.
std::string version_text(const SchemaVersion& version);

/// What can be done with documents of a version. 0.0 was never released, and is not a wildcard.
enum class VersionSupport {
  readable,        // the head's major, up to the head's minor
  newer_minor,     // the head's major: read, if what was added to it since is empty
  older_release,   // read after an upgrade, see upgrade.h; JSON only
  newer_major,     // cannot be read
  never_released,  // cannot be read
};
VersionSupport support_for(const SchemaVersion& version);

/// How a program is written down: binary files are read by their own major version only.
enum class Encoding { json, binary };

/// Why a program of `version` cannot be read, and what to do about it; nullopt: it can.
std::optional<std::string> why_unreadable(const SchemaVersion& version, Encoding encoding);

/// Errors: DataError with the path `schema_version` and without a place, if why_unreadable() has a reason.
void require_readable(const SchemaVersion& version, Encoding encoding);

/// Of the zip archives that torch.export.save writes since 2.8, by the `archive_version` that they state.
/// Errors: DataError, with what to do about it.
void require_readable_archive(std::string_view archive_version);

/// Compares the operator sets of a program with what the caller can run: the newest version that it supports
/// by namespace, e.g. {"aten": 10}. Namespaces that it does not name are not compared.
/// Errors: DataError, if the program needs a newer one.
void check_opset(const ExportedProgram& program, const schemagen::Map<std::int64_t>& supported);

}  // namespace pt2
