// Identifies the schema that code was generated from, and determines which versions the code can read. Used
// by binary files and JSON.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "schemagen/base/unknown_fields.h"

namespace schemagen {

/// The version in a document.
struct Version {
  std::int64_t major = 0;
  std::int64_t minor = 0;
};

/// The schema that code was generated from. Each generated schema_info.h defines one called `kSchema`.
struct SchemaIdentity {
  std::string_view name;
  Version version;
  std::array<std::uint8_t, 8> id;  // the first bytes of the hash of the schema
};

/// Returns the version as text, e.g. "2.4".
std::string version_text(const Version& version);

/// Returns the reason why code for the schema `own` cannot read a `type` with this version, or nullopt if the
/// major versions match.
std::optional<std::string> why_unreadable(const SchemaIdentity& own, std::string_view type,
                                          const Version& version);

/// Returns how to treat unknown fields in data with this version. This is `asked`, except that
/// UnknownFields::error becomes skip_empty if the minor version is newer: fields that the writer did not use
/// must not be errors.
UnknownFields unknown_fields_for(const SchemaIdentity& own, const Version& version, UnknownFields asked);

/// Hashes of everything that a root type refers to. Each consists of `sha256:` and 64 hexadecimal digits.
/// Schemas with the same `schema` hash have the same types. Schemas with the same `bin` hash can read each
/// other's binary data, and schemas with the same `json` hash can read each other's JSON.
/// `schemagen hash --root` prints these hashes.
struct RootHashes {
  std::string_view name;
  std::string_view schema;
  std::string_view bin;
  std::string_view json;
};

}  // namespace schemagen
