#pragma once

#include <string_view>

#include "pt2/upgrade/upgrade.h"

namespace pt2 {

UpgradeSteps shipped_upgrade_steps();

/// If `is_old` returns true, puts the member into an object under `inner`.
void wrap_member(schemagen::DomValue& value, const char* name,
                 bool (schemagen::DomValue::*is_old)() const noexcept, const char* inner,
                 const UpgradeContext& context);

void add_missing_member(schemagen::DomValue& value, const char* name, schemagen::DomValue member,
                        std::string_view why, const UpgradeContext& context);

}  // namespace pt2
