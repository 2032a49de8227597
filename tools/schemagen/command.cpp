#include "command.h"

#include <iostream>

#include "front/imports.h"
#include "front/resolve.h"

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

void write_text(const std::string& path, const std::string& text) {
  if (path.empty() || path == "-") {
    std::cout << text;
  } else {
    write_output({path, text});
  }
}

std::string root_names(const Model& model) {
  const std::string names =
      joined(model.roots, ", ", [&](std::size_t root) { return model.types[root].name; });
  return names.empty() ? "the schema lists no roots" : "its roots are " + names;
}

std::optional<std::size_t> find_root(std::string_view command, const std::string& schema, const Model& model,
                                     const std::string& name) {
  const std::optional<std::size_t> root = model.find(name);
  if (!root) {
    usage_error(command, "--root: " + schema + " has no type " + quoted(name),
                hint_for(name, names_of(model.types), root_names(model)));
  }
  return root;
}

void add_policy_option(Command command, Policy& policy) {
  add_enum_option(command, "--policy", policy, {Policy::full, Policy::backward, Policy::pytorch},
                  "Which readers must not break");
}

}  // namespace generator
