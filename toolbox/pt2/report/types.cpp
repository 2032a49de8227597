#include "pt2/report/reports.h"
#include "pt2/strings/argument_text.h"

namespace pt2 {

std::string comparison_json(const TypeComparison& comparison) {
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("checked").count(comparison.nodes).key("differences").begin('[');
  for (const TypeDifference& each : comparison.differences) {
    json.begin('{').key("node").string(each.where).key("operator").string(operator_text(each.target));
    json.key("result").string(each.value).key("part").string(each.part);
    json.key("recorded").string(each.recorded).key("inferred").string(each.inferred).end('}');
  }
  json.end(']').key("not_checked").begin('[');
  for (const UninferredNode& each : comparison.uninferred) {
    json.begin('{').key("node").string(each.where).key("operator").string(operator_text(each.target));
    json.key("why").string(each.why).end('}');
  }
  json.end(']').end('}');
  return std::string(json.view());
}

}  // namespace pt2
