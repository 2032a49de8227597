#include <filesystem>
#include <iostream>

#include "command.h"
#include "evolution/baseline.h"
#include "evolution/findings.h"
#include "evolution/upgrade_steps.h"
#include "front/imports.h"
#include "schemagen/base/counted.h"

namespace generator {
namespace {

struct BumpArguments {
  std::string schema;
  std::string against;
  std::string output;
  Policy policy = Policy::full;
  bool major = false;
  std::string upgrades;
  std::string downgrades;
};

std::string causes(const Findings& findings) {
  std::string out;
  for (const Finding& finding : findings.comparison.findings) {
    const bool counts = !finding.allowed && !is_about_version(*finding.rule);
    if (counts && finding.bump == findings.comparison.required && finding.bump != Bump::none) {
      out += finding_as_text(findings, finding);
    }
  }
  return out;
}

/// Adds the steps that the file lacks. Returns the lines that name them.
std::string write_steps(const std::string& path, Direction direction, const std::vector<NeededStep>& steps,
                        const Release& before, const Release& after) {
  if (path.empty()) return {};
  std::error_code ignored;
  const std::string old = std::filesystem::exists(path, ignored) ? read_schema(path) : std::string();
  const StepFile file = with_steps(old, steps, direction, before, after);
  write_output({path, file.text});
  const std::size_t count = file.added.size();
  if (count == 0) return shown(path) + ": has all steps\n";
  return shown(path) + ": added " + schemagen::counted(count, "function") + " and " +
         (count == 1 ? "its row" : "their rows") + ": write what is missing\n";
}

/// Names the steps, and what a test of each must read.
std::string steps_text(const std::vector<NeededStep>& steps, const Release& before, const Release& after) {
  std::string text;
  for (const NeededStep& step : steps) {
    const bool is_upgrade = step.direction == Direction::upgrade;
    text += (is_upgrade ? "upgrade " : "downgrade ") + step.type + " in " + step.function + "():\n";
    for (const Finding* const finding : step.findings) {
      text += "  " + shown(finding->message) + "\n";
      if (finding->example && is_json(finding->example->flow) &&
          is_backward(finding->example->flow) == is_upgrade)
        text += "  test: read " + finding->example->type + " " + shown(finding->example->value) +
                " of version " + spelled((is_upgrade ? before : after).model.version) + "\n";
    }
  }
  return text.empty() ? "no upgrade steps: the major version is the same\n" : text;
}

/// To stdout unless the schema goes there.
int write(const BumpArguments& arguments, const std::string& text, const std::string& said) {
  const std::string& target = arguments.output.empty() ? arguments.schema : arguments.output;
  if (target == "-") {
    std::cerr << said;
    std::cout << text;
  } else {
    write_output({target, text});
    std::cout << said;
  }
  return kDone;
}

int bump(const BumpArguments& arguments, const Baseline& baseline, const Release& schema) {
  const Comparison comparison = compared(baseline.newest, schema, baseline.earlier, arguments.policy);
  const Findings findings(comparison, baseline.newest, schema, baseline.earlier);
  const std::string file = shown(schema.file);
  const std::string verdict = file + ": " + verdict_text(findings) + "\n";
  if (comparison.required == Bump::error) {
    std::cerr << causes(findings) << verdict;
    return kNo;
  }
  Release bumped = schema;
  std::string said = verdict;
  if (!comparison.version_suffices) {
    std::cerr << causes(findings);
    bumped.model.version = comparison.suggested;
    bumped.text = with_version(schema.text, schema.model, bumped.model.version);
    said += file + ": " + spelled(schema.model.version) + " -> " + spelled(bumped.model.version) + "\n";
  }
  if (arguments.major) {
    const std::vector<NeededStep> steps = needed_steps(comparison, baseline.newest, bumped);
    said += steps_text(steps, baseline.newest, bumped);
    said += write_steps(arguments.upgrades, Direction::upgrade, steps, baseline.newest, bumped);
    said += write_steps(arguments.downgrades, Direction::downgrade, steps, baseline.newest, bumped);
  }
  return write(arguments, bumped.text, said);
}

int run(const BumpArguments& arguments) {
  if (arguments.schema == "-" && arguments.against == "-") {
    return usage_error("bump", "only one of the schemas can be read from stdin", "name a file");
  }
  if (arguments.output.empty() && is_in_git(arguments.schema)) {
    return usage_error("bump", arguments.schema + " cannot be written", "name a file, or use -o FILE");
  }
  const Baseline baseline = load_baseline(arguments.against);
  return bump(arguments, baseline, load_release(arguments.schema));
}

}  // namespace

void add_bump_command(Command command) {
  auto& arguments = command.add_arguments<BumpArguments>();
  command.add_option("SCHEMA", arguments.schema, "Changed schema, or - to read stdin and write stdout")
      .required()
      .check(check_release_name);
  command
      .add_option("--against", arguments.against,
                  "Old schema: anything that `diff` accepts as OLD, e.g. a folder of releases")
      .required()
      .check(check_release_name);
  command.add_option("-o", arguments.output, "Output file instead of SCHEMA, or - for stdout");
  add_policy_option(command, arguments.policy);
  command.add_flag("--major", arguments.major,
                   "Also list the upgrade steps that the new major version needs");
  command.add_option("--upgrade-steps", arguments.upgrades,
                     "With --major: add the missing upgrade steps to this C++ file, or create it");
  command.add_option("--downgrade-steps", arguments.downgrades,
                     "With --major: add the missing steps back to the old version to this C++ file");
  command.footer(
      "In SCHEMA, changes only the version numbers, and keeps a version that suffices. Shows the findings "
      "that\n"
      "require the new version; `schemagen diff` shows all findings.\n"
      "Exit codes: 0 the version now suffices; 1 no version suffices, and nothing was written; 2 usage\n"
      "error; 3 a schema has errors; 4 a file cannot be read or written.\n"
      "Example: schemagen bump schema.yaml --against git:main:schema.yaml");
}

}  // namespace generator
