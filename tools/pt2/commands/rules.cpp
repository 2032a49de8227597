#include <algorithm>

#include "command.h"
#include "pt2/findings/rules.h"
#include "pt2/report/report_writer.h"

namespace pt2::tool {
namespace {

std::string rules_text() {
  std::size_t width = 0;
  for (const Rule& rule : rules()) width = std::max(width, std::string_view(rule.id).size());
  std::string text;
  for (const Rule& rule : rules()) {
    std::string line = rule.id;
    line.resize(width + 2, ' ');
    line += severity_text(rule.severity);
    line.resize(width + 11, ' ');
    text += line + rule.summary + "\n";
  }
  return text;
}

std::string rules_json() {
  ReportWriter json;
  json.list(rules(), [&](const Rule& rule) {
    json.object("rule", rule.id, "level", severity_text(rule.severity), "summary", rule.summary,
                "explanation", rule.explanation);
  });
  return json.text() + "\n";
}

struct RulesArguments {
  bool json = false;
};

void run(const RulesArguments& arguments) {
  arguments.json ? write_output(rules_json()) : write_text(rules_text());
}

struct ExplainArguments {
  std::string rule;
};

void run(const ExplainArguments& arguments) {
  write_text(explanation_of(arguments.rule));
}

}  // namespace

void add_rules_command(Command command) {
  command.add_flag("--json", add_arguments<RulesArguments>(command).json,
                   "Print a JSON array with explanations");
  command.footer("Examples:\n  pt2 rules\n  pt2 rules --json | jq '.[].rule'");
}

void add_explain_command(Command command) {
  std::string& rule = add_arguments<ExplainArguments>(command).rule;
  command.add_option("RULE", rule, "Rule to explain, such as NAME_UNDEFINED").required().type_name("");
  command.footer("Examples:\n  pt2 explain NAME_UNDEFINED");
}

}  // namespace pt2::tool
