#pragma once

#include <stdexcept>

#include "evolution/compat.h"

namespace generator {

/// Thrown for a schema with errors. what() returns the output of Diagnostics::render().
class InvalidSchema : public std::runtime_error {
  using runtime_error::runtime_error;
};

struct Baseline {
  Release newest;
  std::vector<Release> earlier;
};

bool is_in_git(const std::string& name);

std::string check_release_name(const std::string& name);

/// Loads a schema. `name` is a path (`-` for stdin) or `git:REF:PATH`. Throws InvalidSchema if the schema has
/// errors, std::system_error if a file cannot be read or git cannot be run, and std::runtime_error, with
/// git's message, if git does not find the revision.
Release load_release(const std::string& name);

/// Also loads a folder of files called `<major>.<minor>.yaml`. Throws InvalidSchema if a folder has no such
/// files, or if a file's version does not match its name.
Baseline load_baseline(const std::string& name);

}  // namespace generator
