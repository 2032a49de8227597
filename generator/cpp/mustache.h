#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace generator {

struct TemplateData {
  using List = std::vector<TemplateData>;
  using Value = std::variant<std::string, bool, List>;
  std::vector<std::pair<std::string, Value>> entries;

  void set(std::string name, Value value) { entries.emplace_back(std::move(name), std::move(value)); }
};

/// Returns the text of a template, given its name (for messages) and source. Unknown names are errors, and
/// nothing is escaped. Throws std::logic_error for a faulty template.
using TemplateRenderer = std::function<std::string(std::string_view name, std::string_view source)>;

TemplateRenderer template_renderer(const TemplateData& data);

}  // namespace generator
