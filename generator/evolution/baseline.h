// What a schema can be compared with: a file, a folder of releases, or a state in git.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "evolution/compat.h"

namespace generator {

/// A schema has errors, or is none. what(): the messages as Diagnostics::render() gives them.
class InvalidSchema : public std::runtime_error {
  using runtime_error::runtime_error;
};

struct Baseline {
  Release newest;
  std::vector<Release> earlier;  // the newest first
};

/// Whether `name` is that of a state in git.
bool is_in_git(const std::string& name);

/// What is wrong with a `name` that is to be given to load_release() or load_baseline(); empty: nothing.
std::string check_release_name(const std::string& name);

/// One schema. `name` is the path of a file (`-` is stdin) or `git:REF:PATH`.
/// Errors: InvalidSchema; std::system_error if something cannot be read, or git cannot be run; another
/// std::runtime_error with what git says if it does not find the state.
Release load_release(const std::string& name);

/// As load_release, or all of a folder's files that are called `<major>.<minor>.yaml`.
/// Errors: also InvalidSchema for a folder without such files, and a file of another version than its name.
Baseline load_baseline(const std::string& name);

}  // namespace generator
