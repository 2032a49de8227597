// Findings of scan as SARIF 2.1.0, for code scanning services.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/scan/scan.h"

namespace pt2::tool {

struct ScannedFile {
  std::string path;
  std::vector<ScanFinding> findings;
};

/// One run with all rules. `version` is that of this tool. A finding's place is the file, its record the
/// logical location.
std::string scan_sarif(const std::vector<ScannedFile>& files, std::string_view version);

}  // namespace pt2::tool
