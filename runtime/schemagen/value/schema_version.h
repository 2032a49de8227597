// Which schema code is made from, and what of other versions of it that code reads: the same for binary files
// and JSON. All functions may be called from several threads at once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "schemagen/value/unknown_fields.h"

namespace schemagen {

/// The version that data states.
struct SchemaVersion {
  std::int64_t major_version = 0;
  std::int64_t minor_version = 0;
};

/// The schema that code is made from: `kSchema` in each generated schema_info.h.
struct SchemaIdentity {
  std::string_view name;
  SchemaVersion version;
  std::array<std::uint8_t, 8> id;  // the first bytes of the schema's hash
};

/// "2.4"
std::string version_text(const SchemaVersion& version);

/// Why a `type` that states `version` cannot be read by code of the schema `own`; nullopt: it can, as it is
/// of the same major version.
std::optional<std::string> why_unreadable(const SchemaIdentity& own, std::string_view type,
                                          const SchemaVersion& version);

/// What is done with unknown parts of data that states `version`: as the caller asked, but those that are
/// empty are skipped in data of a newer minor, which what was added to it and is not used must not stop.
UnknownFields unknown_fields_for(const SchemaIdentity& own, const SchemaVersion& version,
                                 UnknownFields asked);

}  // namespace schemagen
