#include "pt2/report/finding_json.h"

#include <cstddef>
#include <optional>

#include "pt2/findings/rules.h"
#include "schemagen/base/quote.h"

namespace pt2 {

FindingTexts::FindingTexts(const Finding& finding)
    : rule(rule_of(finding.rule).id),
      level(severity_text(finding.severity)),
      record(schemagen::printable(finding.record)),
      path(schemagen::printable(finding.path)),
      what(schemagen::printable(finding.what)),
      message(schemagen::printable(finding.message)) {}

void write_place(ReportWriter& json, const schemagen::Place& place) {
  const auto if_known = [&](std::size_t number) {
    return place.line != 0 ? std::optional(number) : std::nullopt;
  };
  json.members("line", if_known(place.line), "column", if_known(place.column), "offset", place.offset);
}

}  // namespace pt2
