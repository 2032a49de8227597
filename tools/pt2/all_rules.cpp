#include "all_rules.h"

#include <map>
#include <string_view>

#include "pt2/scan/scan.h"
#include "pt2/verify/rule_table.h"

namespace pt2::tool {
namespace {

constexpr RuleRow<CheckRule> kCheckRows[] = {
    {CheckRule::field_skipped,
     {"FIELD_SKIPPED", Severity::warning, "a field of a newer schema was skipped",
      "The file is of a later version than this program, and has a field that it does not know. The field "
      "is empty, so that nothing is lost here, unless the policy is inspect; what it means to others is not "
      "known."}},
    {CheckRule::unreadable,
     {"UNREADABLE", Severity::error, "the file, or a program in it, cannot be read",
      "It breaks the format of its container or the schema, is of a version that is not known, or is larger "
      "or deeper than the limits allow. Nothing can be said of what torch makes of it."}},
};
static_assert(is_complete(kCheckRows, CheckRule::unreadable));

}  // namespace

const Rule& check_rule(CheckRule id) {
  return row_of(kCheckRows, id);
}

std::vector<const Rule*> all_rules() {
  std::map<std::string_view, const Rule*> by_id;
  for (const auto& each : {rules(), scan_rules(), rules_in(kCheckRows)}) {
    for (const Rule* const rule : each) by_id.emplace(rule->id, rule);
  }
  std::vector<const Rule*> all;
  for (const auto& [id, rule] : by_id) all.push_back(rule);
  return all;
}

}  // namespace pt2::tool
