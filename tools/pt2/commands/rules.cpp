#include <algorithm>
#include <memory>

#include "command.h"
#include "console.h"
#include "pt2/findings/rules.h"
#include "pt2/report/report_options.h"

namespace pt2::tool {
namespace {

std::string rules_text() {
  const std::vector<const Rule*>& all = rules();
  std::size_t width = 0;
  for (const Rule* rule : all) width = std::max(width, std::string_view(rule->id).size());
  std::string text;
  for (const Rule* rule : all) {
    std::string line = rule->id;
    line.resize(width + 2, ' ');
    line += severity_text(rule->severity);
    line.resize(width + 11, ' ');
    text += line + rule->summary + "\n";
  }
  return text;
}

std::string rules_json() {
  schemagen::JsonWriter json(report_options());
  json.begin('[');
  for (const Rule* rule : rules()) {
    json.begin('{').key("rule").string(rule->id).key("level").string(severity_text(rule->severity));
    json.key("summary").string(rule->summary).key("explanation").string(rule->explanation).end('}');
  }
  json.end(']');
  return std::string(json.view()) + "\n";
}

int explain(const std::string& id) {
  write_text(explanation_of(id));
  return kDone;
}

}  // namespace

void add_rules_command(Command command) {
  const auto wants_json = std::make_shared<bool>(false);
  command.add_flag("--json", *wants_json, "Print a JSON array with explanations");
  command.footer("Examples:\n  pt2 rules\n  pt2 rules --json | jq '.[].rule'");
  set_action(command, nullptr, [wants_json] {
    *wants_json ? write_output(rules_json()) : write_text(rules_text());
    return static_cast<int>(kDone);
  });
}

void add_explain_command(Command command) {
  const auto rule = std::make_shared<std::string>();
  command.add_option("RULE", *rule, "Rule to explain, such as NAME_UNDEFINED").required().type_name("");
  command.footer("Examples:\n  pt2 explain NAME_UNDEFINED");
  set_action(command, nullptr, [rule] { return explain(*rule); });
}

}  // namespace pt2::tool
