#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace generator {

struct TemplateData {
  using List = std::vector<TemplateData>;
  using Value = std::variant<std::string, bool, List>;
  std::vector<std::pair<std::string, Value>> entries;

  /// Takes a name, its value, the next name, and so on. A value is a text, an integer, a boolean or a list.
  template <typename Given, typename... More>
  void set(std::string name, Given&& given, More&&... more) {
    using Plain = std::decay_t<Given>;
    if constexpr (std::is_integral_v<Plain> && !std::is_same_v<Plain, bool>) {
      entries.emplace_back(std::move(name), std::to_string(given));
    } else if constexpr (std::is_convertible_v<Given, std::string_view>) {
      entries.emplace_back(std::move(name), std::string(given));
    } else {
      entries.emplace_back(std::move(name), std::forward<Given>(given));
    }
    if constexpr (sizeof...(more) != 0) set(std::forward<More>(more)...);
  }

  template <typename... Members>
  static TemplateData of(Members&&... members) {
    TemplateData data;
    data.set(std::forward<Members>(members)...);
    return data;
  }
};

/// Returns the text of a template, given its name (for messages) and source. Unknown names are errors, and
/// nothing is escaped. Throws std::logic_error for a faulty template.
using TemplateRenderer = std::function<std::string(std::string_view name, std::string_view source)>;

TemplateRenderer template_renderer(const TemplateData& data);

}  // namespace generator
