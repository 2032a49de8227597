#include "generate.h"

#include <algorithm>

#include "layout.h"
#include "mustache.h"
#include "resolve.h"
#include "templates.h"
#include "view.h"
#include "yaml.h"

namespace schemagen {

std::optional<Model> load_model(Diagnostics& diagnostics) {
  // No stop between the two: what is wrong with the YAML and with the schema is told in one run.
  const YamlNode document = parse_yaml(diagnostics);
  std::optional<Model> model = resolve(document, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return model;
}

std::vector<OutputFile> generate(const Model& model, const std::string& folder, const std::string& name_space,
                                 const std::vector<std::string>& only) {
  const View view = make_view(model, layout(model), name_space);
  std::vector<OutputFile> files;
  for (const std::string_view name : kTemplateNames) {
    if (!only.empty() && std::find(only.begin(), only.end(), name) == only.end()) continue;
    const std::string body = render(name, templates().at(name), view);
    const std::string path = folder.empty() ? std::string(name) : folder + "/" + std::string(name);
    files.push_back({path, with_provenance(model, "//", body)});
  }
  return files;
}

}  // namespace schemagen
