#include "pt2/upgrade/downgrade_steps.h"

namespace pt2 {
namespace {

using schemagen::DomValue;

// schemagen bump: functions

}  // namespace

const std::vector<DowngradeStep>& downgrade_steps() {
  static const std::vector<DowngradeStep> kSteps = {
      // schemagen bump: rows
  };
  return kSteps;
}

}  // namespace pt2
