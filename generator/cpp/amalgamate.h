// Writes a schema's code, and the parts of the library that it needs, as one header and one source file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cpp/output.h"
#include "model/model.h"

namespace generator {

struct CopyLevel {
  std::string name;
  std::vector<std::string> headers;
};

struct CopiedLibrary {
  std::string schema;  // also the library's namespace and folder
  std::vector<CopyLevel> levels;
  std::string c_header;

  const CopyLevel* find(std::string_view name) const;
};
const CopiedLibrary& copied_library();

bool has_copied_library();

struct AmalgamationParts {
  std::string level = "codecs";
  /// With the level "types", neither may be set; with levels above the codecs, both must be.
  bool json = true;
  bool binary = true;
  /// Writes RapidJSON as a separate file instead of including <rapidjson/...>.
  bool rapidjson = false;
  /// Adds functions for C: all of them with the library's last level, those in schemagen_value.h with the
  /// codecs.
  bool c = false;
};

/// Returns `<schema>.h`, `<schema>.cpp` and, with `rapidjson`, `<schema>_rapidjson.h` in `folder`. Everything
/// is in `name_space` and its inline namespace of the major version, so a program can hold several copies.
/// With `c`, headers for C are in `folder`/c; a program can hold their functions only once.
std::vector<OutputFile> amalgamate(const Model& model, const std::string& folder,
                                   const std::string& name_space, const AmalgamationParts& parts);

}  // namespace generator
