// The identity of the schema that code was generated from, and the versions that the code can read. Binary
// files and JSON share both.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "schemagen/base/unknown_fields.h"

namespace schemagen {

/// A version that data states.
struct Version {
  std::int64_t major = 0;
  std::int64_t minor = 0;
};

/// The schema that code was generated from. Each generated schema_info.h defines one, `kSchema`.
struct SchemaIdentity {
  std::string_view name;
  Version version;
  std::array<std::uint8_t, 8> id;  // the first bytes of the schema's hash
};

/// Returns "2.4".
std::string version_text(const Version& version);

/// Returns why code for the schema `own` cannot read a `type` of this version; nullopt if the major versions
/// match.
std::optional<std::string> why_unreadable(const SchemaIdentity& own, std::string_view type,
                                          const Version& version);

/// Returns how to treat unknown fields in data of this version: as `asked`, except that a newer minor version
/// skips empty ones, because additions that the writer did not use must not be errors.
UnknownFields unknown_fields_for(const SchemaIdentity& own, const Version& version, UnknownFields asked);

/// Hashes of everything that one root type reaches, each `sha256:` and 64 hex digits. Two schemas with the
/// same `schema` have the same types; with the same `bin`, each reads the other's binary data; with the same
/// `json`, each reads the other's JSON. `schemagen hash --root` prints them.
struct RootHashes {
  std::string_view name;
  std::string_view schema;
  std::string_view bin;
  std::string_view json;
};

}  // namespace schemagen
