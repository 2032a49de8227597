#include <algorithm>
#include <iostream>

#include "command.h"
#include "evolution/findings.h"
#include "text/json_text.h"
#include "text/source_lines.h"

namespace generator {
namespace {

std::string rules_as_text() {
  std::size_t width = 0;
  for (const Rule& rule : rules()) width = std::max(width, rule.id.size());
  std::string out;
  for (const Rule& rule : rules()) {
    std::string line(rule.id);
    line.resize(width + 2, ' ');
    line += name_of(rule.level);
    line.resize(width + 12, ' ');
    out += line + std::string(rule.purpose) + "\n";
  }
  return out + "\n`schemagen explain RULE` explains a rule.\n";
}

void write_rule(JsonText& json, const Rule& rule) {
  json.object(
      "id", rule.id, "level", name_of(rule.level), "purpose", rule.purpose, "effects",
      [&] { write_effects(json, rule.effects); }, "bump", name_of(rule.bump), "bump_backward",
      name_of(rule.bump_backward), "pytorch", name_of(rule.torch), "why", rule.why, "example", rule.example,
      "fix", rule.fix);
}

std::string rules_as_json() {
  JsonText json;
  json.array(rules(), [&](const Rule& rule) { write_rule(json, rule); });
  return json.take();
}

std::string paragraph(std::string_view text) {
  return joined(wrapped(text, 100), "\n") + "\n";
}

std::string indented(std::string_view text) {
  std::string out;
  for (const std::string_view line : lines_of(text)) out.append("    ").append(line).append("\n");
  return out;
}

std::string explained(const Rule& rule) {
  std::string out = std::string(rule.id) + " (" + std::string(name_of(rule.level)) + ")\n";
  out += paragraph(rule.purpose) + "\n" + paragraph(rule.why) + "\n";
  out += "Example:\n" + indented(rule.example) + "\n";
  out += paragraph("What to do: " + rule.fix) + "\n";
  const Effects& effects = rule.effects;
  const auto line = [](std::string_view what, Verdict json, Verdict binary) {
    return filled("$JSON $, binary $\n", what, name_of(json), name_of(binary));
  };
  out += line("new readers read old data:  ", effects.json_backward, effects.binary_backward);
  out += line("old readers read new data:  ", effects.json_forward, effects.binary_forward);
  out += "existing code still works:  " + std::string(name_of(effects.source)) + "\n";
  out += "required version:           " + std::string(name_of(rule.bump)) +
         " (policy backward: " + std::string(name_of(rule.bump_backward)) + ")\n";
  return out + "PyTorch's own checker:      " + std::string(name_of(rule.torch)) + "\n";
}

struct RulesArguments {
  std::string format = "text";
};

int run(const RulesArguments& arguments) {
  std::cout << (arguments.format == "json" ? rules_as_json() : rules_as_text());
  return kDone;
}

struct ExplainArguments {
  std::string rule;
};

int run(const ExplainArguments& arguments) {
  const std::string& id = arguments.rule;
  if (const Rule* rule = find_rule(id)) {
    std::cout << explained(*rule);
    return kDone;
  }
  return usage_error("explain", "unknown rule " + quoted(id),
                     hint_for(id, rule_ids(), "`schemagen rules` lists the rules"));
}

}  // namespace

void add_rules_command(Command command) {
  std::string& format = command.add_arguments<RulesArguments>().format;
  command.add_option("--format", format, "Output format").one_of({"text", "json"}).show_default();
}

void add_explain_command(Command command) {
  std::string& rule = command.add_arguments<ExplainArguments>().rule;
  command.add_option("RULE", rule, "Rule to explain, e.g. FIELD_ID_REUSED").required();
}

}  // namespace generator
