#include "evolution/upgrade_steps.h"

#include <cstdlib>
#include <stdexcept>

#include "schemagen/base/ascii.h"
#include "schemagen/base/error.h"

namespace generator {
namespace {

constexpr std::string_view kFunctions = "schemagen bump: functions";
constexpr std::string_view kRows = "schemagen bump: rows";

std::string snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (schemagen::is_upper(c) && !out.empty()) out += '_';
    out += schemagen::lower(c);
  }
  return out;
}

void add_steps(const Comparison& comparison, Direction direction, const Model& from, const Model& to,
               std::vector<NeededStep>& steps) {
  for (const Definition& type : from.types) {
    NeededStep step{
        direction, type.name, snake_case(type.name) + "_to_" + std::to_string(to.version.major_), {}};
    for (const Finding& finding : comparison.findings) {
      if (finding.path.substr(0, finding.path.find('.')) == type.name && needs_step(finding, direction))
        step.findings.push_back(&finding);
    }
    if (!step.findings.empty()) steps.push_back(std::move(step));
  }
}

std::string function_text(const NeededStep& step, const Version& from, const Version& to) {
  std::string text = "/// " + step.type + ":";
  for (const Finding* const finding : step.findings) {
    text += (finding == step.findings.front() ? " " : ".\n/// ") + shown(finding->message);
  }
  const std::string missing =
      "the step from " + spelled(from) + " to " + spelled(to) + " for " + step.type + " is not written";
  if (step.direction == Direction::upgrade) {
    return text + ".\nvoid " + step.function +
           "(DomValue&, const UpgradeContext& context) {\n  context.fail(\"" + missing + "\");\n}\n\n";
  }
  return text + ".\nstd::string " + step.function + "(DomValue&) {\n  return \"" + missing + "\";\n}\n\n";
}

std::string row_text(const NeededStep& step, const Version& from) {
  const std::string version = step.direction == Direction::upgrade
                                  ? filled("{$, $}", from.major_, from.minor_)
                                  : std::to_string(from.major_);
  return "{" + version + ", \"" + step.type + "\", " + step.function + "},\n";
}

/// Inserts lines before the line of a comment, with its indentation.
void insert_before(std::string& text, std::string_view comment, const std::vector<std::string>& parts) {
  const std::size_t place = text.find(comment);
  if (place == text.npos) {
    throw schemagen::UsageError(filled("the file of upgrade steps lacks the comment '// $'", comment));
  }
  const std::size_t line = text.rfind('\n', place) + 1;
  const std::string indentation = text.substr(line, text.find('/', line) - line);
  std::string lines;
  for (const std::string& part : parts) lines += indentation + part;
  text.insert(line, lines);
}

std::string frame(const Model& model) {
  return filled(
      "// Upgrade steps of $, for schemagen::Upgrades.\n"
      "#include <schemagen/tree/upgrade.h>\n\n"
      "namespace $ {\nnamespace {\n\n"
      "using schemagen::DomValue;\nusing schemagen::UpgradeContext;\n\n"
      "// $\n\n}  // namespace\n\n"
      "std::vector<schemagen::UpgradeStep> upgrade_steps() {\n"
      "  return {\n      // $\n  };\n}\n\n"
      "}  // namespace $\n",
      model.name, model.name, kFunctions, kRows, model.name);
}

}  // namespace

/// Findings about reservations, whole types and roots concern no values that a step could change.
bool needs_step(const Finding& finding, Direction direction) {
  const std::string_view id = finding.rule->id;
  if (finding.allowed || is_about_version(*finding.rule)) return false;
  if (id.find("NOT_RESERVED") != id.npos || id == "TYPE_REMOVED" || id == "TYPE_ADDED" ||
      id == "ROOT_REMOVED" || id == "ROOT_ADDED")
    return false;
  if (direction == Direction::upgrade) return finding.effects.json_backward != Verdict::yes;
  // The older schema has what was removed, and would refuse a new field that always has a value.
  const bool is_removed = id.substr(0, 14) == "FIELD_REMOVED_" || id == "UNION_MEMBER_REMOVED";
  return is_removed || id == "FIELD_ADDED_REQUIRED" || finding.effects.json_forward == Verdict::no;
}

std::vector<NeededStep> needed_steps(const Comparison& comparison, const Release& before,
                                     const Release& after) {
  std::vector<NeededStep> steps;
  if (before.model.version.major_ == after.model.version.major_) return steps;
  add_steps(comparison, Direction::upgrade, before.model, after.model, steps);
  add_steps(comparison, Direction::downgrade, after.model, before.model, steps);
  return steps;
}

StepFile with_steps(std::string text, const std::vector<NeededStep>& steps, Direction direction,
                    const Release& before, const Release& after) {
  if (text.empty()) text = frame(after.model);
  StepFile file;
  std::vector<std::string> functions;
  std::vector<std::string> rows;
  const bool is_upgrade = direction == Direction::upgrade;
  const Version& from = (is_upgrade ? before : after).model.version;
  const Version& to = (is_upgrade ? after : before).model.version;
  for (const NeededStep& step : steps) {
    if (step.direction != direction || text.find(" " + step.function + "(") != text.npos) continue;
    functions.push_back(function_text(step, from, to));
    rows.push_back(row_text(step, from));
    file.added.push_back(step);
  }
  insert_before(text, kFunctions, functions);
  insert_before(text, kRows, rows);
  file.text = std::move(text);
  return file;
}

std::string with_version(const std::string& text, const Model& model, Version version) {
  const SourceLines lines(text);
  std::string result = text;
  const bool is_major_last = lines.offset(model.major_span) > lines.offset(model.minor_span);
  for (const bool is_major : {is_major_last, !is_major_last}) {
    const Span& span = is_major ? model.major_span : model.minor_span;
    const std::size_t offset = lines.offset(span);
    const std::string written = text.substr(offset, span.length);
    const std::int32_t expected = is_major ? model.version.major_ : model.version.minor_;
    if (written.empty() || std::atoi(written.c_str()) != expected)
      throw std::logic_error("the text does not match the schema");
    result.replace(offset, span.length, std::to_string(is_major ? version.major_ : version.minor_));
  }
  return result;
}

}  // namespace generator
