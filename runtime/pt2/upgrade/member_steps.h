// What several steps do to one member of a value.
#pragma once

#include <string_view>

#include "pt2/upgrade/upgrade.h"

namespace pt2 {

/// Makes the member `name`, if `is_old` holds for it, an object with what it was as its member `inner`.
void wrap_member(schemagen::DomValue& value, const char* name,
                 bool (schemagen::DomValue::*is_old)() const noexcept, const char* inner,
                 const UpgradeContext& context);

/// Adds the member `name` where there is none, and reports `why`.
void add_missing_member(schemagen::DomValue& value, const char* name, schemagen::DomValue member,
                        std::string_view why, const UpgradeContext& context);

}  // namespace pt2
