// Changes of a member that several steps share.
#pragma once

#include <string_view>

#include "pt2/upgrade/upgrade.h"

namespace pt2 {

/// Wraps the member `name`, if it satisfies `is_old`, in an object with the single member `inner`.
void wrap_member(schemagen::DomValue& value, const char* name,
                 bool (schemagen::DomValue::*is_old)() const noexcept, const char* inner,
                 const UpgradeContext& context);

/// Adds the member `name` if it is missing, and reports `why`.
void add_missing_member(schemagen::DomValue& value, const char* name, schemagen::DomValue member,
                        std::string_view why, const UpgradeContext& context);

}  // namespace pt2
