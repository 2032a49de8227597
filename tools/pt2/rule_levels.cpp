#include "rule_levels.h"

#include "all_rules.h"
#include "input.h"
#include "pt2/text/lines.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "text/near_name.h"

namespace pt2::tool {

void RuleLevels::add_options(tools::Command command) {
  command
      .add_option("--rule", settings_,
                  "off, note, warning or error for what this rule finds; several with commas")
      .type_name("RULE=LEVEL,...");
  command.add_option("--rules", file_, "A file of such, one in each line").type_name("FILE");
}

std::string RuleLevels::take(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string id(trimmed(text.substr(0, equals)));
  const std::string level(equals == text.npos ? "" : trimmed(text.substr(equals + 1)));
  std::vector<std::string> ids;
  for (const Rule* const rule : all_rules()) ids.emplace_back(rule->id);
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
    return generator::with_suggestion("unknown rule " + schemagen::quoted(id), id, ids);
  }
  if (level == "off") {
    levels_.insert_or_assign(id, std::nullopt);
    return {};
  }
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    if (level != severity_text(severity)) continue;
    levels_.insert_or_assign(id, severity);
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

}  // namespace pt2::tool
