// What a generated schema_info.h says about each root of its schema. Several threads may read the same object
// at once.
#pragma once

#include <string_view>

namespace schemagen {

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
