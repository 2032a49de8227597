// The data of the templates.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace generator {

/// A value in a template: text, a flag, or a list of items.
struct TemplateData {
  using List = std::vector<TemplateData>;
  using Value = std::variant<std::string, bool, List>;
  std::vector<std::pair<std::string, Value>> entries;

  void set(std::string name, Value value) { entries.emplace_back(std::move(name), std::move(value)); }
};

/// Returns the data of `model`, with the C++ spellings of types, names, literals and comments. `name_space`
/// may be nested: "a::b".
TemplateData template_data(const Model& model, const Layout& layout, const std::string& name_space);

}  // namespace generator
