// The torch release to write a program for.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"
#include "pt2/versions/releases.h"

namespace pt2 {

/// The schema version and torch release that must be able to read a program.
struct ReleaseTarget {
  SchemaVersion schema;
  int torch_minor;  // of torch 2

  /// Returns the release, such as `2.9`.
  std::string release() const { return "2." + std::to_string(torch_minor); }
};

/// Parses a schema version of the current major (`8.14`) or a release (`torch-2.9`). Throws UsageError, which
/// mentions the option --to.
ReleaseTarget parse_release_target(const std::string& text);

/// Returns the first release that wrote each schema of the current major.
std::vector<Release> first_releases();

}  // namespace pt2
