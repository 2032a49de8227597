// Which schema code is made from, and what of other versions of it that code reads: the same for binary
// files and JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "schemagen/base/unknown_fields.h"

namespace schemagen {

/// The version that data states.
struct Version {
  std::int64_t major = 0;
  std::int64_t minor = 0;
};

/// The schema that code is made from: `kSchema` in each generated schema_info.h.
struct SchemaIdentity {
  std::string_view name;
  Version version;
  std::array<std::uint8_t, 8> id;  // the first bytes of the schema's hash
};

/// "2.4"
std::string version_text(const Version& version);

/// Why a `type` that states `version` cannot be read by code of the schema `own`; nullopt: it can, as it is
/// of the same major version.
std::optional<std::string> why_unreadable(const SchemaIdentity& own, std::string_view type,
                                          const Version& version);

/// What is done with unknown parts of data that states `version`: as the caller asked, but those that are
/// empty are skipped in data of a newer minor, which what was added to it and is not used must not stop.
UnknownFields unknown_fields_for(const SchemaIdentity& own, const Version& version, UnknownFields asked);

/// Hashes, each `sha256:` and 64 hexadecimal digits, of what one root type reaches. Equal hashes of two
/// schemas mean: of `schema`, that the types are the same; of `bin`, that each reads the binary data that the
/// other writes; of `json`, likewise JSON. `schemagen hash --root` gives the same.
struct RootHashes {
  std::string_view name;
  std::string_view schema;
  std::string_view bin;
  std::string_view json;
};

}  // namespace schemagen
