#pragma once

#include "pt2/types.h"
#include "schemagen/base/error.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/json/document.h"
#include "schemagen/json/json.h"

namespace pt2 {

/// Returns the version in a program's JSON, without reading the rest. Schemas 1 and 2 have the minor version
/// 0.
///
/// Throws DataError if the document is not an exported program, with what it looks like instead, or if the
/// version is malformed.
SchemaVersion document_version(const schemagen::JsonDocument& document);

/// Returns whether the version's torch wrote NaN and infinities as bare words: torch up to 2.6.
bool has_bare_nonfinite(const SchemaVersion& version);

/// Returns `options` adapted to the document's version. Unknown fields of newer minor versions are treated as
/// `newer_fields` says unless `options` already allows them. Bare NaN and infinities are allowed in versions
/// that write them.
///
/// Throws DataError if the version cannot be read, with the versions that can.
schemagen::JsonReadOptions read_options_for(
    const schemagen::JsonDocument& document, const SchemaVersion& version,
    schemagen::JsonReadOptions options = {},
    schemagen::UnknownFields newer_fields = schemagen::UnknownFields::skip_empty);

/// Returns the error with a note on versions if the program is newer than this library.
schemagen::DataError of_version(const schemagen::DataError& error, const SchemaVersion& version);

}  // namespace pt2
