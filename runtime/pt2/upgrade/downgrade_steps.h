// Changes programs to the form of the previous major version.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/tree/dom_value.h"

namespace pt2 {

struct DowngradeStep {
  std::int64_t major;     // the major version of the documents that need the step
  std::string_view type;  // the type's name in the last schema with this major version
  /// Changes a value in place, after the values that it contains. Returns why the previous major version
  /// cannot express the value, or "". Fields that the previous version lacks may stay: downgrade_document()
  /// drops or refuses them.
  std::string (*apply)(schemagen::DomValue& value);
};

/// Programs can be downgraded to a major version if there are steps for each later one.
const std::vector<DowngradeStep>& downgrade_steps();

}  // namespace pt2
