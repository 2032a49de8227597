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
  std::string schema;  // name of the schema, and of the library's namespace and folder
  std::vector<CopyLevel> levels;
  std::string c_header;

  const CopyLevel* find(std::string_view name) const;
};
const CopiedLibrary& copied_library();

bool has_copied_library();

struct AmalgamationParts {
  std::string level = "codecs";
  /// Whether to include the JSON and binary codecs. With the level "types", neither may be set; with levels
  /// above "codecs", both must be.
  bool json = true;
  bool binary = true;
  /// Writes RapidJSON as a separate file. If false, the code includes <rapidjson/...>.
  bool rapidjson = false;
  /// Adds functions for C: all of them with the library's last level, and only the functions in
  /// schemagen_value.h with "codecs".
  bool c = false;
};

/// Returns `<schema>.h`, `<schema>.cpp` and, with `rapidjson`, `<schema>_rapidjson.h` in `folder`. All code
/// is in `name_space`, inside the inline namespace of the major version, so a program can contain
/// several copies. With `c`, the headers for C are in `folder`/c; a program can contain the C functions only
/// once.
std::vector<OutputFile> amalgamate(const Model& model, const std::string& folder,
                                   const std::string& name_space, const AmalgamationParts& parts);

}  // namespace generator
