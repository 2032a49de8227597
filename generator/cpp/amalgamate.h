// A schema's code and all of the library that it needs, in one header and one source, to be copied.
#pragma once

#include <string>
#include <vector>

#include "cpp/output.h"
#include "model/model.h"

namespace generator {

/// How much of the library an amalgamation holds: each level has what it needs of those before it. Those
/// above the codecs are written for PyTorch's schema.
enum class CopyLevel {
  types,
  codecs,    // JSON and binary
  versions,  // upgrades, canonical forms and hashes
  archive,   // what loads and saves files
  all,       // all public headers
};

struct AmalgamationParts {
  CopyLevel level = CopyLevel::codecs;
  /// Which codecs; levels above have both, that of the types none.
  bool json = true;
  bool binary = true;
  /// RapidJSON in a file of its own, where otherwise it is included as <rapidjson/...>.
  bool rapidjson = false;
  /// The functions of C too: of level all those of pt2.h, of the codecs those of schemagen_value.h.
  bool c = false;
};

/// Whether levels above the codecs can be asked for.
bool has_programs(const Model& model);
/// Whether their sources are built in.
bool has_levels();

/// `<schema>.h`, `<schema>.cpp` and, with `rapidjson`, `<schema>_rapidjson.h` in `folder`, where <schema> is
/// the schema's name. All that they define is in `name_space`, in its inline namespace of the major version,
/// the library's own code too, so that several amalgamations live in one program. With `c`, also the headers
/// of C in `folder`/c, as they are; their functions can be in a program once.
std::vector<OutputFile> amalgamate(const Model& model, const std::string& folder,
                                   const std::string& name_space, const AmalgamationParts& parts);

}  // namespace generator
