// Baselines to compare a schema with: a file, a folder of releases, or a git revision.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "evolution/compat.h"

namespace generator {

/// The schema has errors, or the file is not a schema. what() is the output of Diagnostics::render().
class InvalidSchema : public std::runtime_error {
  using runtime_error::runtime_error;
};

struct Baseline {
  Release newest;
  std::vector<Release> earlier;  // newest first
};

/// Returns whether `name` is a git revision.
bool is_in_git(const std::string& name);

/// Returns why load_release() and load_baseline() cannot take `name`, or an empty string.
std::string check_release_name(const std::string& name);

/// Loads one schema. `name` is a path (`-` for stdin) or `git:REF:PATH`.
/// Throws InvalidSchema; std::system_error if a file cannot be read or git cannot run; std::runtime_error
/// with git's message if git does not find the revision.
Release load_release(const std::string& name);

/// Loads a schema like load_release, or all files of a folder that are named `<major>.<minor>.yaml`.
/// Also throws InvalidSchema if the folder has none, or if a file's version does not match its name.
Baseline load_baseline(const std::string& name);

}  // namespace generator
