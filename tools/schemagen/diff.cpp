#include <algorithm>
#include <iostream>

#include "command.h"
#include "evolution/baseline.h"
#include "evolution/findings.h"

namespace generator {
namespace {

struct DiffArguments {
  std::string before;
  std::string after;
  std::string format = "text";
  Policy policy = Policy::full;
  Level threshold = Level::breaking;
};

std::string rendered(const Findings& findings, const std::string& format) {
  if (format == "json") return findings_as_json(findings);
  if (format == "sarif") return findings_as_sarif(findings, SCHEMAGEN_VERSION);
  if (format == "github") return findings_as_github(findings);
  if (format == "markdown") return findings_as_markdown(findings);
  return findings_as_text(findings);
}

int run(const DiffArguments& arguments) {
  if (arguments.before == "-" && arguments.after == "-") {
    return usage_error("diff", "only one of the schemas can be read from stdin", "name a file");
  }
  const Baseline baseline = load_baseline(arguments.before);
  const Release after = load_release(arguments.after);
  const Comparison comparison = compared(baseline.newest, after, baseline.earlier, arguments.policy);
  std::cout << rendered({comparison, baseline.newest, after, baseline.earlier}, arguments.format);
  const bool found = std::any_of(
      comparison.findings.begin(), comparison.findings.end(),
      [&](const Finding& finding) { return !finding.allowed && finding.level >= arguments.threshold; });
  return found ? kNo : kDone;
}

}  // namespace

void add_diff_command(Command command) {
  auto& arguments = command.add_arguments<DiffArguments>();
  command
      .add_option("OLD", arguments.before,
                  "Old schema, a folder of releases (<major>.<minor>.yaml), or git:REF:PATH")
      .required()
      .check(check_release_name);
  command.add_option("NEW", arguments.after, "Changed schema").required().check(check_release_name);
  command.add_option("--format", arguments.format, "Output format")
      .one_of({"text", "json", "sarif", "github", "markdown"})
      .show_default();
  add_policy_option(command, arguments.policy);
  add_enum_option(command, "--threshold", arguments.threshold,
                  {Level::note, Level::warning, Level::breaking, Level::error},
                  "Lowest level of findings that fails the check");
  command.footer(
      "Policies: full protects old and new readers; backward protects new readers of old files; pytorch\n"
      "gives the verdict of PyTorch's own checker.\n"
      "Exit codes: 0 no finding reaches the threshold; 1 a finding does, e.g. because the version does\n"
      "not suffice; 2 usage error; 3 a schema has errors; 4 a file cannot be read.\n"
      "Example: schemagen diff schema/released schema/pt2.yaml\n"
      "`schemagen explain RULE` explains a finding.");
}

}  // namespace generator
