#include "pt2/report/finding_json.h"

#include "pt2/text/literal.h"
#include "pt2/text/words.h"

namespace pt2 {

void write_finding(ReportWriter& json, const Finding& finding, std::string_view keys) {
  const std::pair<std::string_view, std::string_view> texts[] = {{"rule", rule_of(finding.rule).id},
                                                                 {"level", severity_text(finding.severity)},
                                                                 {"record", finding.record},
                                                                 {"path", finding.path},
                                                                 {"what", finding.what},
                                                                 {"message", finding.message}};
  for_each_word(keys, [&](std::string_view key) {
    for (const auto& [name, text] : texts) {
      if (name == key) json.members(key, printable(text));
    }
  });
}

void write_place(ReportWriter& json, const schemagen::Place& place) {
  const auto if_known = [&](std::size_t number) {
    return place.line != 0 ? std::optional(number) : std::nullopt;
  };
  json.members("line", if_known(place.line), "column", if_known(place.column), "offset", place.offset);
}

}  // namespace pt2
