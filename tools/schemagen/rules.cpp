#include <algorithm>
#include <iostream>
#include <memory>
#include <string>

#include "command.h"
#include "evolution/compat.h"
#include "text/json_text.h"

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
  json.object([&] {
    json.key("id").string(rule.id);
    json.key("level").string(name_of(rule.level));
    json.key("purpose").string(rule.purpose);
    json.key("effects").object([&] {
      json.key("new_reads_old_json").string(name_of(rule.effects.json_backward));
      json.key("old_reads_new_json").string(name_of(rule.effects.json_forward));
      json.key("new_reads_old_binary").string(name_of(rule.effects.binary_backward));
      json.key("old_reads_new_binary").string(name_of(rule.effects.binary_forward));
      json.key("source").string(name_of(rule.effects.source));
    });
    json.key("bump").string(name_of(rule.bump));
    json.key("bump_backward").string(name_of(rule.bump_backward));
    json.key("pytorch").string(name_of(rule.torch));
    json.key("why").string(rule.why);
    json.key("example").string(rule.example);
    json.key("fix").string(rule.fix);
  });
}

std::string rules_as_json() {
  JsonText json;
  json.array([&] {
    for (const Rule& rule : rules()) write_rule(json, rule);
  });
  return json.take();
}

}  // namespace

void add_rules_command(Command command) {
  const auto format = std::make_shared<std::string>("text");
  command.add_option("--format", *format, "Output format").one_of({"text", "json"}).show_default();
  command.set_action([format] {
    std::cout << (*format == "json" ? rules_as_json() : rules_as_text());
    return static_cast<int>(kDone);
  });
}

}  // namespace generator
