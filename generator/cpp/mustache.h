#pragma once

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

/// Unknown names are errors, and nothing is escaped. Throws std::logic_error for a faulty template.
std::string render(std::string_view template_name, std::string_view text, const TemplateData& data);

}  // namespace generator
