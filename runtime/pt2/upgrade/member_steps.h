// What several steps do to one member of a value.
#pragma once

#include <string_view>

#include "pt2/upgrade/upgrade_step.h"

namespace pt2 {

/// Makes the member `name`, if `is_old` holds for it, an object with what it was as its member `inner`. Both
/// names are borrowed.
void wrap_member(rapidjson::Value& value, const char* name, bool (rapidjson::Value::*is_old)() const,
                 const char* inner, const UpgradeContext& context);

/// Adds the member `name` where there is none, and reports `why`. `name` is borrowed.
void add_missing_member(rapidjson::Value& value, const char* name, rapidjson::Value member,
                        std::string_view why, const UpgradeContext& context);

}  // namespace pt2
