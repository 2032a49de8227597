// schemagen check
#include <iostream>
#include <memory>
#include <vector>

#include "commands/command.h"
#include "evolution/compat.h"
#include "front/load.h"
#include "model/cpp_names.h"
#include "schemagen/value/quote.h"

namespace generator {
namespace {

/// What whoever writes C++ has to know of a schema without errors.
void add_renames(const Model& model, Diagnostics& diagnostics) {
  for (const CppRename& rename : cpp_renames(model)) {
    diagnostics.add(
        {Severity::note,
         rename.span,
         rename.thing + " is " + schemagen::quoted(rename.cpp.name) + " in C++: " + rename.cpp.reason,
         {},
         rename.has_key ? "'cpp_name' gives it another name there" : ""});
  }
}

bool check(const std::string& schema) {
  Diagnostics diagnostics = open_schema(schema);
  const std::optional<Model> model = load_model(diagnostics, rule_ids());
  if (model) add_renames(*model, diagnostics);
  std::cerr << diagnostics.render();
  return model.has_value();
}

}  // namespace

void add_check_command(CommandLine& line) {
  const auto schemas = std::make_shared<std::vector<std::string>>();
  Command command = line.add_subcommand("check", "Only look for errors in schemas");
  command.add_option("SCHEMA", *schemas, "The schemas").required();
  command.set_action([schemas] {
    int exit_code = kDone;
    for (const std::string& schema : *schemas) {
      if (!check(schema)) exit_code = kBadInput;
    }
    return exit_code;
  });
}

}  // namespace generator
