#include "export/torch_module.h"

#include <sstream>

#include "export/export_files.h"

namespace generator {

std::string torch_module(const Model& model) {
  std::istringstream lines{std::string(export_files().at("torch_modules.txt"))};
  const std::string start = model.name + ": ";
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, start.size(), start) == 0) return line.substr(start.size());
  }
  return {};
}

}  // namespace generator
