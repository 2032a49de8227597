#include "command.h"

#include <iostream>

#include "evolution/compat.h"
#include "front/load.h"
#include "front/source_file.h"
#include "text/message.h"

namespace generator {

int usage_error(std::string_view command, const std::string& message, const std::string& hint) {
  std::cerr << tools::usage_error("schemagen", std::string(command), message, hint);
  return kUsage;
}

int schema_error(std::string_view schema, const std::string& what, const std::string& hint) {
  std::cerr << shown(schema) << ": error: " << shown(what) << "\nhint: " << shown(hint) << "\n";
  return kBadInput;
}

Diagnostics open_schema(const std::string& path) {
  return Diagnostics(path == "-" ? "<stdin>" : path, read_schema(path));
}

std::optional<Model> load_schema(const std::string& path) {
  Diagnostics diagnostics = open_schema(path);
  std::optional<Model> model = load_model(diagnostics, rule_ids());
  std::cerr << diagnostics.render();
  return model;
}

void add_policy_option(Command command, Policy& policy) {
  add_enum_option(command, "--policy", policy, {Policy::full, Policy::backward, Policy::pytorch},
                  "Which readers must not break");
}

}  // namespace generator
