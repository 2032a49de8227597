// Which versions of the schema can be read, how, and what to do about the others: for JSON, binary files and
// archives alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pt2/types.h"
#include "schemagen/value/map.h"

namespace pt2 {

/// "8.20"; "1" and "2" of the two schemas that had a major only.
std::string version_text(const SchemaVersion& version);

/// What can be done with documents of a version. 0.0 is none that was released, and no wildcard.
enum class VersionSupport {
  readable,        // the head's major, up to the head's minor
  newer_minor,     // the head's major: read, if what was added to it since is empty
  older_release,   // read after an upgrade, see upgrade.h; JSON only
  newer_major,     // cannot be read
  never_released,  // cannot be read
};
VersionSupport support_for(const SchemaVersion& version);

/// Why JSON of a version that is newer_major or never_released cannot be read, and what to do about it.
std::string refusal_of(const SchemaVersion& version);

/// The same of a binary file of any major but the head's.
std::string binary_refusal_of(const SchemaVersion& version);

/// Whether the zip archives that torch.export.save writes since 2.8 can be read that state `archive_version`.
bool can_read_archive(std::string_view archive_version);
/// Why one cannot, and what to do about it.
std::string archive_refusal_of(const std::string& archive_version);

/// Compares the operator sets of a program with what the caller can run: the newest version that it supports
/// by namespace, e.g. {"aten": 10}. Namespaces that it does not name are not compared.
/// Errors: DataError, if the program needs a newer one.
void check_opset(const ExportedProgram& program, const schemagen::Map<std::int64_t>& supported);

}  // namespace pt2
