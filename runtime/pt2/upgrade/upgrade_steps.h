#pragma once

#include "pt2/upgrade/upgrade.h"

namespace pt2 {

UpgradeSteps shipped_upgrade_steps();

}  // namespace pt2
