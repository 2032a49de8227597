#include "rule_levels.h"

#include "pt2/text/lines.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {

void RuleLevels::add_options(Command command) {
  command.add_option("--rule RULE=LEVEL,...", settings_,
                     "Level of a rule: off, note, warning or error; separate several with commas");
  command.add_option("--rules FILE", file_, "File of RULE=LEVEL settings, one per line");
}

std::string RuleLevels::take(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string id(trimmed(text.substr(0, equals)));
  const std::string level(equals == text.npos ? "" : trimmed(text.substr(equals + 1)));
  const std::optional<RuleId> rule = find_rule(id);
  if (!rule) return unknown_rule(id);
  std::optional<Severity> chosen;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    if (level == severity_text(severity)) chosen = severity;
  }
  if (!chosen && level != "off")
    return "expected " + id + "=off, note, warning or error, got " + schemagen::quoted(text);
  levels_.insert_or_assign(*rule, chosen);
  return {};
}

void RuleLevels::read() {
  if (!file_.empty()) {
    read_beside(file_, [&](std::string_view text, const std::string&) {
      for_each_line(text, [&](std::string_view line, std::size_t number) {
        const std::string_view setting = trimmed(line.substr(0, line.find('#')));
        const std::string wrong = setting.empty() ? "" : take(setting);
        if (wrong.empty()) return;
        throw schemagen::UsageError(schemagen::quoted(file_) + ", line " + std::to_string(number) + ": " +
                                    wrong);
      });
    });
  }
  for (const std::string& setting : settings_) {
    if (const std::string wrong = take(setting); !wrong.empty())
      throw schemagen::UsageError("--rule: " + wrong);
  }
}

}  // namespace pt2::tool
