// The version that a program's JSON states, and how JSON of that version is read.
#pragma once

#include "pt2/types.h"
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

/// How a program's document is read: `options`, with what its version asks for. Unknown fields that are empty
/// are skipped in newer minors; bare NaN and Infinity are taken in versions whose releases wrote them (torch
/// up to 2.6). Nothing that `options` allows is forbidden.
/// Errors: DataError as of document_version(), or if the version cannot be read: it names what can be.
schemagen::JsonReadOptions read_options_for(const schemagen::JsonDocument& document,
                                            schemagen::JsonReadOptions options = {});

}  // namespace pt2
