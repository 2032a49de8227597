#include "pt2/upgrade/downgrade_steps.h"

namespace pt2 {

const std::vector<DowngradeStep>& downgrade_steps() {
  static const std::vector<DowngradeStep> kSteps = {};
  return kSteps;
}

}  // namespace pt2
