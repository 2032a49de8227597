// What the templates see: finished text, and no questions left to ask.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace generator {

/// A value that a template can name: text, a flag, or a list of further items.
struct TemplateData {
  using List = std::vector<TemplateData>;
  using Value = std::variant<std::string, bool, List>;
  std::vector<std::pair<std::string, Value>> entries;

  void set(std::string name, Value value) { entries.emplace_back(std::move(name), std::move(value)); }
};

/// `model` as text for C++. `name_space` may be nested: "a::b".
/// The only place where C++ spellings of types, names, literals and comments are made.
TemplateData template_data(const Model& model, const Layout& layout, const std::string& name_space);

}  // namespace generator
