#pragma once

#include "pt2/types.h"
#include "schemagen/base/error.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/json/document.h"
#include "schemagen/json/json.h"

namespace pt2 {

/// Returns the schema version in a program's JSON, without reading the rest. Schemas 1 and 2 have the minor
/// version 0.
///
/// Throws DataError if the version is malformed, or if the document is not an exported program. In the latter
/// case, the message says what the document looks like.
SchemaVersion document_version(const schemagen::JsonDocument& document);

/// Returns whether torch wrote NaN and infinities as bare words in documents of this version. torch up to 2.6
/// did.
bool has_bare_nonfinite(const SchemaVersion& version);

/// Returns whether documents of this version contain example inputs and constants as pickles. torch 2.1 wrote
/// them.
bool has_pickles(const SchemaVersion& version);

/// Returns `options` adapted to the document's version. Unknown fields of newer minor versions are treated as
/// `newer_fields` specifies, unless `options` already allows them. Bare NaN and infinities are allowed if
/// has_bare_nonfinite() is true.
///
/// Throws DataError if the version cannot be read. The message lists the versions that can be read.
schemagen::JsonReadOptions read_options_for(
    const schemagen::JsonDocument& document, const SchemaVersion& version,
    schemagen::JsonReadOptions options = {},
    schemagen::UnknownFields newer_fields = schemagen::UnknownFields::skip_empty);

/// Returns `error`, with a note about the version if the program is newer than this library.
schemagen::DataError of_version(const schemagen::DataError& error, const SchemaVersion& version);

}  // namespace pt2
