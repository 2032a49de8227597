// A schema's code and what it needs of the library, as one header and one source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cpp/output.h"
#include "model/model.h"

namespace generator {

/// Above the codecs: all that the headers need of the library.
struct CopyLevel {
  std::string name;
  std::vector<std::string> headers;
};

/// As in dev/packaging/copied_levels.txt.
struct CopiedLibrary {
  std::string schema;             // also the library's namespace and folder
  std::vector<CopyLevel> levels;  // each includes the one before
  std::string c_header;           // added to the last level

  /// null if there is none
  const CopyLevel* find(std::string_view name) const;
};
const CopiedLibrary& copied_library();

/// Whether the library's sources are built in.
bool has_copied_library();

struct AmalgamationParts {
  /// "types", "codecs" or a level of copied_library().
  std::string level = "codecs";
  /// None with the types, both with levels above the codecs.
  bool json = true;
  bool binary = true;
  /// As a separate file, instead of including <rapidjson/...>.
  bool rapidjson = false;
  /// With the library's last level, all functions of C; with the codecs, those in schemagen_value.h.
  bool c = false;
};

/// Returns `<schema>.h`, `<schema>.cpp` and, with `rapidjson`, `<schema>_rapidjson.h` in `folder`. Everything
/// is in `name_space` and its inline namespace of the major version, so a program can hold several copies.
/// With `c`, headers for C are in `folder`/c; a program can hold their functions only once.
std::vector<OutputFile> amalgamate(const Model& model, const std::string& folder,
                                   const std::string& name_space, const AmalgamationParts& parts);

}  // namespace generator
