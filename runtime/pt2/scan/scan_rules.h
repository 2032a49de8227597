// The rules of scan_file(), by name.
#pragma once

#include "pt2/verify/rules.h"

namespace pt2 {

/// In the order of scan_rules().
enum class ScanRule {
  native_code,
  nested_archive,
  pickle_global,
  pickle_legacy,
  pickle_malformed,
  source_code,
  zip_trick,
};

const Rule& scan_rule(ScanRule id);

}  // namespace pt2
