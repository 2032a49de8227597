// Writes findings as JSON for the commands and the page.
#pragma once

#include "pt2/findings/finding.h"
#include "pt2/report/report_writer.h"
#include "schemagen/base/error.h"

namespace pt2 {

/// Writes the members of `finding` that `keys` names: rule, level, record, path, what or message.
void write_finding(ReportWriter& json, const Finding& finding, std::string_view keys);

/// Writes the members "line", "column" and "offset".
void write_place(ReportWriter& json, const schemagen::Place& place);

}  // namespace pt2
