#include "cpp/generate.h"

#include "cpp/template_data.h"
#include "model/embedded_files.h"
#include "text/message.h"

namespace generator {

std::vector<OutputFile> generate(const Model& model, const std::string& folder, const std::string& name_space,
                                 const std::vector<std::string>& only, const std::string& python_module) {
  TemplateData data = template_data(model, name_space);
  data.set("python_module", python_module);
  const TemplateRenderer render = template_renderer(data);
  const std::string origin = origin_of(model);
  std::vector<OutputFile> files;
  const auto add = [&](std::string_view name, const std::string& file, std::string_view comment) {
    const std::string path = folder.empty() ? file : folder + "/" + file;
    files.push_back({path, with_provenance(origin, comment, render(name, embedded_files().at(name)))});
  };
  for (const std::string_view name : kTemplateNames) {
    if (only.empty() || contains(only, name)) add(name, std::string(name), "//");
  }
  if (!python_module.empty()) {
    add(kPythonTemplate, std::string(kPythonTemplate), "//");
    add(kPythonStubTemplate, python_module + ".pyi", "#");
  }
  return files;
}

}  // namespace generator
