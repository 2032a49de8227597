// `pt2 rules` and `pt2 explain`: what validate looks for.
#include "pt2/verify/rules.h"

#include <algorithm>

#include "commands.h"
#include "console.h"
#include "json_builder.h"
#include "near_name.h"

namespace pt2::tool {
namespace {

std::string rules_text() {
  std::size_t width = 0;
  for (const Rule& rule : rules()) width = std::max(width, std::string_view(rule.id).size());
  std::string text;
  for (const Rule& rule : rules()) {
    std::string line = rule.id;
    line.resize(width + 2, ' ');
    line += level_text(rule.level);
    line.resize(width + 11, ' ');
    text += line + rule.summary + "\n";
  }
  return text;
}

std::string rules_json() {
  JsonBuilder json;
  json.begin('[');
  for (const Rule& rule : rules()) {
    json.begin('{').key("rule").string(rule.id).key("level").string(level_text(rule.level));
    json.key("summary").string(rule.summary).key("explanation").string(rule.explanation).end('}');
  }
  json.end(']');
  return std::string(json.view()) + "\n";
}

}  // namespace

int run_rules(const RulesArguments& arguments) {
  write_output(arguments.json ? rules_json() : rules_text());
  return kDone;
}

std::string check_explain(const ExplainArguments& arguments) {
  if (find_rule(arguments.rule) != nullptr) return {};
  std::vector<std::string> ids;
  for (const Rule& rule : rules()) ids.push_back(rule.id);
  return "there is no rule '" + arguments.rule + "'" + did_you_mean(arguments.rule, ids);
}

int run_explain(const ExplainArguments& arguments) {
  const Rule& rule = *find_rule(arguments.rule);
  write_output(std::string(rule.id) + " (" + level_text(rule.level) + "): " + rule.summary + "\n\n" +
               rule.explanation + "\n");
  return kDone;
}

}  // namespace pt2::tool
