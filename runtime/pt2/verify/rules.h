// The rules of verify(). All functions may be called from several threads at once.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/verify/verify.h"

namespace pt2 {

struct Rule {
  const char* id;
  Level level;
  const char* summary;      // one line
  const char* explanation;  // what goes wrong, and what to do
};

/// All rules, by id.
const std::vector<Rule>& rules();

/// Null if there is no such rule.
const Rule* find_rule(std::string_view id);

}  // namespace pt2
