#include "front/load.h"

#include "front/resolve.h"
#include "front/yaml.h"

namespace generator {

std::optional<Model> load_model(Diagnostics& diagnostics, const Names& rules) {
  // No stop between the two: what is wrong with the YAML and with the schema is told in one run.
  const YamlNode document = parse_yaml(diagnostics);
  std::optional<Model> model = resolve(document, rules, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return model;
}

}  // namespace generator
