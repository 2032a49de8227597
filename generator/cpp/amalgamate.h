#pragma once

#include "cpp/output.h"

namespace generator {

struct CopyLevel {
  std::string name;
  std::vector<std::string> headers;
};

struct CopiedLibrary {
  std::string schema;  // the name of the schema, of the library's namespace and of its folder
  std::vector<CopyLevel> levels;
  std::string c_header;

  const CopyLevel* find(std::string_view name) const;
};
const CopiedLibrary& copied_library();

bool has_copied_library();

struct AmalgamationParts {
  std::string level = "codecs";
  /// Whether to include these codecs. The level "types" allows neither; levels above "codecs" need both.
  bool json = true;
  bool binary = true;
  /// Whether to include functions for C: all with the library's last level, and only those in
  /// schemagen_value.h with "codecs".
  bool c = false;
};

/// Returns `<schema>.h` and `<schema>.cpp` in `folder`, and with `c` also headers in `folder`/c. All code is
/// in `name_space`, inside the inline namespace of the major version, so a program can contain several
/// copies, but the C functions only once.
std::vector<OutputFile> amalgamate(const Model& model, const std::string& folder,
                                   const std::string& name_space, const AmalgamationParts& parts);

}  // namespace generator
