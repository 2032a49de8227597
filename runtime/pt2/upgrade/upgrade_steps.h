// The steps that this library has.
#pragma once

#include "pt2/upgrade/upgrade.h"

namespace pt2 {

/// All of them, ordered by version.
UpgradeSteps shipped_upgrade_steps();

}  // namespace pt2
