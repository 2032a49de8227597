#include "text/near_name.h"

namespace generator {

std::string with_suggestion(const std::string& message, std::string_view name,
                            const std::vector<std::string>& candidates) {
  const std::string near = did_you_mean(name, Names(candidates.begin(), candidates.end()));
  return near.empty() ? message : message + ", " + near;
}

}  // namespace generator
