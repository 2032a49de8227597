#include "rule_levels.h"

#include <algorithm>

#include "input.h"
#include "pt2/text/lines.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "text/near_name.h"

namespace pt2::tool {

void RuleLevels::add_options(tools::Command command) {
  command
      .add_option("--rule", settings_,
                  "The level of a rule: off, note, warning or error; separate several with commas")
      .type_name("RULE=LEVEL,...");
  command.add_option("--rules", file_, "A file of such settings, one per line").type_name("FILE");
}

std::string RuleLevels::take(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string id(trimmed(text.substr(0, equals)));
  const std::string level(equals == text.npos ? "" : trimmed(text.substr(equals + 1)));
  const std::vector<const Rule*>& all = rules();
  const auto rule = std::find_if(all.begin(), all.end(), [&](const Rule* each) { return each->id == id; });
  if (rule == all.end()) {
    std::vector<std::string> ids;
    for (const Rule* const each : all) ids.emplace_back(each->id);
    return generator::with_suggestion("unknown rule " + schemagen::quoted(id), id, ids);
  }
  const auto number = static_cast<RuleId>(rule - all.begin());
  if (level == "off") {
    levels_.insert_or_assign(number, std::nullopt);
    return {};
  }
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    if (level != severity_text(severity)) continue;
    levels_.insert_or_assign(number, severity);
    return {};
  }
  return "expected " + id + "=off, note, warning or error, found " + schemagen::quoted(text);
}

void RuleLevels::read() {
  if (!file_.empty()) {
    const FileBytes bytes = read_input(file_);
    for_each_line(bytes.view(), [&](std::string_view line, std::size_t number) {
      const std::string_view setting = trimmed(line.substr(0, line.find('#')));
      const std::string wrong = setting.empty() ? "" : take(setting);
      if (wrong.empty()) return;
      throw schemagen::UsageError(schemagen::quoted(file_) + ", line " + std::to_string(number) + ": " +
                                  wrong);
    });
  }
  for (const std::string& setting : settings_) {
    if (const std::string wrong = take(setting); !wrong.empty())
      throw schemagen::UsageError("--rule: " + wrong);
  }
}

void RuleLevels::apply(std::vector<Finding>& findings) const {
  const auto is_off = [&](const Finding& finding) {
    const auto level = levels_.find(finding.rule);
    return level != levels_.end() && !level->second;
  };
  findings.erase(std::remove_if(findings.begin(), findings.end(), is_off), findings.end());
  for (Finding& finding : findings) {
    const auto level = levels_.find(finding.rule);
    if (level != levels_.end()) finding.severity = *level->second;
  }
}

}  // namespace pt2::tool
