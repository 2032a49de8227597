// Which version of the schema a document was written with, and what can be done with that version.
#pragma once

#include <string>

#include "pt2/types.h"
#include "schemagen/json_document.h"
#include "schemagen/json_options.h"

namespace pt2 {

/// The version that a program's document states. It is found before anything else of the document is read, as
/// all else depends on it. Schemas 1 and 2 had a major only: minor 0.
/// Errors: DataError if the document is no exported program (it says what it looks like instead), or what it
/// states is no version.
SchemaVersion document_version(const schemagen::JsonDocument& document);

/// "8.20"; "1" and "2" of the two schemas that had a major only.
std::string version_text(const SchemaVersion& version);

/// What can be done with documents of a version. 0.0 is none that was released, and no wildcard.
enum class VersionSupport {
  readable,        // the head's major, up to the head's minor
  newer_minor,     // the head's major: read, if what was added to it since is empty
  older_release,   // wants an upgrade before it can be read
  newer_major,     // cannot be read
  never_released,  // cannot be read
};
VersionSupport support_for(const SchemaVersion& version);

/// Errors: DataError, if programs of `version` cannot be read: it names what can be.
void check_readable(const SchemaVersion& version);

/// How a program's document is read: `options`, with what its version asks for. Unknown fields that are empty
/// are skipped in newer minors; bare NaN and Infinity are taken in versions whose releases wrote them (torch
/// up to 2.6). Nothing that `options` allows is forbidden.
/// Errors: DataError as of document_version(), or if the version cannot be read: it names what can be.
schemagen::JsonReadOptions read_options_for(const schemagen::JsonDocument& document,
                                            schemagen::JsonReadOptions options = {});

}  // namespace pt2
