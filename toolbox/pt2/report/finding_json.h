// Writes findings as JSON for the commands and the page.
#pragma once

#include <string>

#include "pt2/findings/finding.h"
#include "pt2/report/report_writer.h"
#include "schemagen/base/error.h"

namespace pt2 {

/// Printable.
struct FindingTexts {
  explicit FindingTexts(const Finding& finding);

  std::string rule;
  std::string level;
  std::string record;
  std::string path;
  std::string what;
  std::string message;
};

/// Writes the members "line", "column" and "offset".
void write_place(ReportWriter& json, const schemagen::Place& place);

}  // namespace pt2
