// The torch release that a program is written for.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"
#include "pt2/versions/releases.h"

namespace pt2 {

/// What is to read a program.
struct ReleaseTarget {
  SchemaVersion schema;
  int torch_minor;  // of torch 2

  /// `2.9`
  std::string release() const { return "2." + std::to_string(torch_minor); }
};

/// A version of the head's major, `8.14`, or a release, `torch-2.9`. Errors: UsageError, about --to.
ReleaseTarget parse_release_target(const std::string& text);

/// Of each schema of the head's major, the first release that writes it.
std::vector<Release> first_releases();

}  // namespace pt2
