#include "cpp/mustache.h"

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <memory>
#include <stdexcept>

namespace generator {
namespace {

namespace km = kainjow::mustache;

km::data to_mustache(const TemplateData& data) {
  km::data object(km::data::type::object);
  for (const auto& [name, value] : data.entries) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      object[name] = km::data(*text);
    } else if (const auto* flag = std::get_if<bool>(&value)) {
      object[name] = km::data(*flag);
    } else {
      const auto& items = std::get<TemplateData::List>(value);
      km::data list(km::data::type::list);
      auto& made = const_cast<km::list&>(list.list_value());  // push_back() of the list copies what it gets
      made.reserve(items.size());
      for (const TemplateData& item : items) made.push_back(to_mustache(item));
      object[name] = std::move(list);
    }
  }
  return object;
}

constexpr char kEmptyLine = '\x01';

/// The specification drops a line with only a section tag; kainjow's Mustache keeps it if the section is not
/// rendered.
std::string with_tags_off_their_lines(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(' ');
    const std::string_view rest = first == std::string_view::npos ? std::string_view() : line.substr(first);
    const bool is_section = rest.size() > 5 && rest.substr(0, 2) == "{{" &&
                            std::string_view("#^/").find(rest[2]) != std::string_view::npos &&
                            rest.find("}}") == rest.size() - 2;
    if (line.empty()) result += kEmptyLine;
    result += is_section ? rest : line;
    if (!is_section && end < text.size()) result += '\n';
    at = end + 1;
  }
  return result;
}

/// Mustache renders a missing name as nothing; this remembers the first.
class StrictContext : public km::context<std::string> {
 public:
  using km::context<std::string>::context;

  const km::data* get(const std::string& name) const override {
    const km::data* found = km::context<std::string>::get(name);
    if (found == nullptr && missing_.empty()) missing_ = name;
    return found;
  }
  const km::data* get_partial(const std::string& name) const override { return get(name); }
  const std::string& missing() const { return missing_; }

 private:
  mutable std::string missing_;
};

}  // namespace

TemplateRenderer template_renderer(const TemplateData& data) {
  const auto object = std::make_shared<km::data>(to_mustache(data));
  return [object](std::string_view template_name, std::string_view text) {
    const auto fail = [&](const std::string& why) {
      throw std::logic_error("template " + std::string(template_name) + ": " + why);
    };
    km::mustache parsed{with_tags_off_their_lines(text)};
    if (!parsed.is_valid()) fail(parsed.error_message());
    parsed.set_custom_escape([](const std::string& value) { return value; });
    StrictContext context(object.get());
    std::string result = parsed.render(context);
    if (!context.missing().empty()) fail("the data has no '" + context.missing() + "'");
    result.erase(std::remove(result.begin(), result.end(), kEmptyLine), result.end());
    return result;
  };
}

}  // namespace generator
