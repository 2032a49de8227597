// The version that a program's JSON states, and how JSON of that version is read.
#pragma once

#include "pt2/types.h"
#include "schemagen/base/error.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/json/document.h"
#include "schemagen/json/json.h"

namespace pt2 {

/// The version that a program's document states. It is found before anything else of the document is read, as
/// all else depends on it. Schemas 1 and 2 had a major only: minor 0.
/// Errors: DataError if the document is no exported program (it says what it looks like instead), or what it
/// states is no version.
SchemaVersion document_version(const schemagen::JsonDocument& document);

/// Whether NaN and infinities stand bare in documents of this version, as the torch of that time, up to 2.6,
/// wrote them and knows no other form. Later ones are strings.
bool has_bare_nonfinite(const SchemaVersion& version);

/// How a program's document is read: `options`, with what its version asks for. What is unknown in newer
/// minors is treated as `newer_fields` says, if `options` has it for an error; bare NaN and Infinity are
/// taken in versions whose releases wrote them (torch up to 2.6). Nothing that `options` allows is forbidden.
/// Errors: DataError as of document_version(), or if the version cannot be read: it names what can be.
schemagen::JsonReadOptions read_options_for(
    const schemagen::JsonDocument& document, schemagen::JsonReadOptions options = {},
    schemagen::UnknownFields newer_fields = schemagen::UnknownFields::skip_empty);

/// What `error`, found in a program of `version`, says to those who have a newer program than this can read:
/// both versions, and of what is unknown what to do. Of other versions, `error` itself.
schemagen::DataError of_version(const schemagen::DataError& error, const SchemaVersion& version);

}  // namespace pt2
