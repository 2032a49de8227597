// Selects the torch release that must be able to read a program.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"
#include "pt2/versions/releases.h"

namespace pt2 {

/// The torch release that must be able to read a program, and the schema version to write for it.
struct ReleaseTarget {
  SchemaVersion schema;
  int torch_minor;  // the minor version of the release; the major version is 2

  /// Returns the release's name, e.g. `2.9`.
  std::string release() const { return "2." + std::to_string(torch_minor); }
};

/// Parses a schema version with the current major version (e.g. `8.14`) or a release (e.g. `torch-2.9`).
/// Throws UsageError for any other string. The message mentions the option --to.
ReleaseTarget parse_release_target(const std::string& text);

/// Returns, for each schema of the current major version, the first release that wrote it.
std::vector<Release> first_releases();

}  // namespace pt2
