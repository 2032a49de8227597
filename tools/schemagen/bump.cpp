#include <iostream>
#include <memory>
#include <string>

#include "command.h"
#include "cpp/output.h"
#include "evolution/baseline.h"
#include "evolution/compat.h"
#include "evolution/findings.h"
#include "evolution/version_edit.h"
#include "front/diagnostics.h"
#include "text/shown.h"

namespace generator {
namespace {

struct BumpArguments {
  std::string schema;
  std::string against;
  std::string output;
  Policy policy = Policy::full;
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
  if (comparison.version_suffices) return write(arguments, schema.text, verdict);
  std::cerr << causes(findings);
  const Version version = comparison.suggested;
  return write(arguments, with_version(schema.text, schema.model, version),
               verdict + file + ": " + spelled(schema.model.version) + " -> " + spelled(version) + "\n");
}

int run(const BumpArguments& arguments) {
  if (arguments.schema == "-" && arguments.against == "-") {
    return usage_error("bump", "only one of the schemas can be read from stdin", "name a file");
  }
  if (arguments.output.empty() && is_in_git(arguments.schema)) {
    return usage_error("bump", arguments.schema + " cannot be written", "name a file, or use -o FILE");
  }
  try {
    const Baseline baseline = load_baseline(arguments.against);
    const Release schema = load_release(arguments.schema);
    return bump(arguments, baseline, schema);
  } catch (const InvalidSchema& invalid) {
    std::cerr << invalid.what();
    return kBadInput;
  }
}

}  // namespace

void add_bump_command(Command command) {
  const auto arguments = std::make_shared<BumpArguments>();
  command.add_option("SCHEMA", arguments->schema, "Changed schema, or - to read stdin and write stdout")
      .required()
      .check(check_release_name);
  command
      .add_option("--against", arguments->against,
                  "Old schema: anything that `diff` accepts as OLD, e.g. a folder of releases")
      .required()
      .check(check_release_name);
  command.add_option("-o", arguments->output, "Output file instead of SCHEMA, or - for stdout");
  add_policy_option(command, arguments->policy);
  command.footer(
      "Changes only the version numbers, and keeps a version that suffices. Shows the findings that\n"
      "require the new version; `schemagen diff` shows all findings.\n"
      "Exit codes: 0 the version now suffices; 1 no version suffices, and nothing was written; 2 usage\n"
      "error; 3 a schema has errors; 4 a file cannot be read or written.\n"
      "Example: schemagen bump schema.yaml --against git:main:schema.yaml");
  command.set_action([arguments] { return run(*arguments); });
}

}  // namespace generator
