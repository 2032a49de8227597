// This library's upgrade steps.
#pragma once

#include "pt2/upgrade/upgrade.h"

namespace pt2 {

/// Returns all steps, ordered by version.
UpgradeSteps shipped_upgrade_steps();

}  // namespace pt2
