// Selects the torch release that must be able to read a program.
#pragma once

#include <cstdint>
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

/// Parses a schema version (e.g. `8.14`) or a release (e.g. `torch-2.9`) that is not older than
/// first_releases(). Throws UsageError for any other string.
ReleaseTarget parse_release_target(const std::string& text);

/// Throws UsageError if the target's major version is not that of the generated types: only JSON holds its
/// programs.
void require_current_major(const ReleaseTarget& target);

/// Returns the current major version and the earlier ones that programs can be downgraded to, oldest first.
std::vector<std::int64_t> writable_majors();

/// Returns, for each schema that programs can be downgraded to, the first release that wrote it.
std::vector<Release> first_releases();

}  // namespace pt2
