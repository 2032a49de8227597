#include "cpp/generate.h"

#include <algorithm>

#include "cpp/mustache.h"
#include "cpp/templates.h"
#include "cpp/view.h"
#include "model/layout.h"

namespace generator {

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

}  // namespace generator
