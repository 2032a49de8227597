#include "rule_levels.h"

#include "all_rules.h"
#include "input.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"
#include "text/near_name.h"

namespace pt2::tool {
namespace {

/// Without blanks around it.
std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

}  // namespace

void RuleLevels::add_options(generator::Command command) {
  command
      .add_option("--rule", settings_,
                  "off, note, warning or error for what this rule finds; may be repeated")
      .type_name("RULE=LEVEL");
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
    std::size_t number = 0;
    for (std::string_view rest = bytes.view(); !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      ++number;
      const std::string_view setting = trimmed(line.substr(0, line.find('#')));
      const std::string wrong = setting.empty() ? "" : take(setting);
      if (wrong.empty()) continue;
      throw schemagen::UsageError(schemagen::quoted(file_) + ", line " + std::to_string(number) + ": " +
                                  wrong);
    }
  }
  for (const std::string& setting : settings_) {
    if (const std::string wrong = take(setting); !wrong.empty())
      throw schemagen::UsageError("--rule: " + wrong);
  }
}

}  // namespace pt2::tool
