// The rules of all commands that look for something in files.
#pragma once

#include <vector>

#include "pt2/verify/verify.h"

namespace pt2::tool {

/// What `pt2 check` says beside what scan and validate find; by id.
enum class CheckRule { field_skipped, unreadable };
const Rule& check_rule(CheckRule id);

/// Those of validate, scan and check, by id, each once.
std::vector<const Rule*> all_rules();

}  // namespace pt2::tool
