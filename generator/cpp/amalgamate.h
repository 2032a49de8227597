// A schema's code and all of the library that it needs, as one header and one source to copy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cpp/output.h"
#include "model/model.h"

namespace generator {

/// A level above the codecs: all that the headers need of the library.
struct CopyLevel {
  std::string name;
  std::vector<std::string> headers;
};

/// The library that can be copied with the code of one schema, as dev/packaging/copied_levels.txt describes
/// it.
struct CopiedLibrary {
  std::string schema;             // also the namespace and the folder of the library
  std::vector<CopyLevel> levels;  // each holds more than the one before
  std::string c_header;           // added to the last level for C

  /// Returns the level called `name`, or null.
  const CopyLevel* find(std::string_view name) const;
};
const CopiedLibrary& copied_library();

/// Returns whether the library's sources are built in.
bool has_copied_library();

struct AmalgamationParts {
  /// "types", "codecs" or a level of copied_library().
  std::string level = "codecs";
  /// Which codecs: none with the types, both with levels above the codecs.
  bool json = true;
  bool binary = true;
  /// RapidJSON as a separate file, instead of including <rapidjson/...>.
  bool rapidjson = false;
  /// The functions of C too: with the library's last level all of them, with the codecs those of
  /// schemagen_value.h.
  bool c = false;
};

/// Returns `<schema>.h`, `<schema>.cpp` and, with `rapidjson`, `<schema>_rapidjson.h` in `folder`, where
/// <schema> is the schema's name. Everything they define, the library's code included, is in `name_space` and
/// its inline namespace of the major version, so a program can hold several amalgamations. With `c`, also the
/// headers for C in `folder`/c; a program can hold their functions only once.
std::vector<OutputFile> amalgamate(const Model& model, const std::string& folder,
                                   const std::string& name_space, const AmalgamationParts& parts);

}  // namespace generator
