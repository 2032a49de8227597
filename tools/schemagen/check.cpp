#include <algorithm>
#include <iostream>

#include "command.h"
#include "front/resolve.h"
#include "model/cpp_names.h"

namespace generator {
namespace {

void add_renames(const Model& model, Diagnostics& diagnostics) {
  for (const CppRename& rename : cpp_renames(model)) {
    diagnostics.add({Severity::note, rename.span,
                     filled("$ is '$' in C++: $", rename.thing, rename.cpp.name, rename.cpp.reason),
                     rename.has_key ? "set 'cpp_name' to choose the C++ name" : ""});
  }
}

Diagnostics checked(const std::string& schema) {
  Diagnostics diagnostics = open_schema(schema);
  const std::optional<Model> model = load_model(diagnostics, rule_ids());
  if (model) add_renames(*model, diagnostics);
  return diagnostics;
}

struct CheckArguments {
  std::vector<std::string> schemas;
  std::string format = "text";
};

int run(const CheckArguments& arguments) {
  std::vector<Diagnostics> files;
  for (const std::string& schema : arguments.schemas) {
    files.push_back(checked(schema));
    if (arguments.format == "text") std::cerr << files.back().render();
  }
  if (arguments.format == "json") std::cout << diagnostics_as_json(files);
  if (arguments.format == "sarif") std::cout << diagnostics_as_sarif(files, SCHEMAGEN_VERSION);
  if (arguments.format == "github") std::cout << diagnostics_as_github(files);
  const bool is_bad = std::any_of(files.begin(), files.end(), [](const auto& f) { return f.has_errors(); });
  return is_bad ? kBadInput : kDone;
}

}  // namespace

void add_check_command(Command command) {
  auto& arguments = command.add_arguments<CheckArguments>();
  command.add_option("SCHEMA", arguments.schemas, "Schemas to check").required();
  command.add_option("--format", arguments.format, "Output format")
      .one_of({"text", "json", "sarif", "github"})
      .show_default();
  command.footer(
      "Writes text to stderr, and the other formats to stdout: json for programs, sarif for services, and\n"
      "github for GitHub's log.\n"
      "Exit codes: 0 no errors; 2 usage error; 3 a schema has errors; 4 a file cannot be read.\n"
      "Example: schemagen check schema.yaml --format github");
}

}  // namespace generator
