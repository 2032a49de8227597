// `pt2 rules` and `pt2 explain`: what validate and scan look for.
#include "pt2/verify/rules.h"

#include <algorithm>
#include <memory>

#include "command.h"
#include "console.h"
#include "json_builder.h"
#include "pt2/scan/scan.h"
#include "report.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"
#include "text/near_name.h"

namespace pt2::tool {
namespace {

/// Those of validate and of scan, by id.
std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> all;
  for (const auto* const each : {&rules(), &scan_rules()}) {
    for (const Rule& rule : *each) all.push_back(&rule);
  }
  std::sort(all.begin(), all.end(),
            [](const Rule* a, const Rule* b) { return std::string_view(a->id) < b->id; });
  return all;
}

std::string rules_text() {
  const std::vector<const Rule*> all = all_rules();
  std::size_t width = 0;
  for (const Rule* rule : all) width = std::max(width, std::string_view(rule->id).size());
  std::string text;
  for (const Rule* rule : all) {
    std::string line = rule->id;
    line.resize(width + 2, ' ');
    line += level_text(rule->level);
    line.resize(width + 11, ' ');
    text += line + rule->summary + "\n";
  }
  return text;
}

std::string rules_json() {
  JsonBuilder json;
  json.begin('[');
  for (const Rule* rule : all_rules()) {
    json.begin('{').key("rule").string(rule->id).key("level").string(level_text(rule->level));
    json.key("summary").string(rule->summary).key("explanation").string(rule->explanation).end('}');
  }
  json.end(']');
  return std::string(json.view()) + "\n";
}

int explain(const std::string& id) {
  const std::vector<const Rule*> all = all_rules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Rule* rule) { return rule->id == id; });
  if (found == all.end()) {
    std::vector<std::string> ids;
    for (const Rule* other : all) ids.emplace_back(other->id);
    throw schemagen::UsageError(generator::with_suggestion("unknown rule " + schemagen::quoted(id), id, ids));
  }
  const Rule* const rule = *found;
  write_output(std::string(rule->id) + " (" + level_text(rule->level) + "): " + rule->summary + "\n\n" +
               rule->explanation + "\n");
  return kDone;
}

}  // namespace

void add_rules_command(CommandLine& line) {
  const auto wants_json = std::make_shared<bool>(false);
  Command command = line.add_subcommand("rules", "List the rules of validate and scan");
  command.add_flag("--json", *wants_json, "Print a JSON array instead, with the explanations");
  command.footer("Examples:\n  pt2 rules\n  pt2 rules --json | jq '.[].rule'");
  set_action(command, nullptr, [wants_json] {
    write_output(*wants_json ? rules_json() : rules_text());
    return static_cast<int>(kDone);
  });
}

void add_explain_command(CommandLine& line) {
  const auto rule = std::make_shared<std::string>();
  Command command = line.add_subcommand("explain", "Explain a rule of validate or scan");
  command.add_option("RULE", *rule, "E.g. NAME_UNDEFINED").required().type_name("");
  command.footer("Examples:\n  pt2 explain NAME_UNDEFINED");
  set_action(command, nullptr, [rule] { return explain(*rule); });
}

}  // namespace pt2::tool
