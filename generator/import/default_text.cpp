#include "import/default_text.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "schemagen/base/float_chars.h"
#include "schemagen/base/float_text.h"
#include "text/yaml_string.h"

namespace generator {
namespace {

using Expression = PythonExpression;
using Text = std::optional<std::string>;

std::string float_default(const std::string& digits) {
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [last, error] = schemagen::parse_float(digits.data(), end, value);
  return error == std::errc() && last == end ? schemagen::float_text(value) : digits;
}

class DefaultWriter {
 public:
  explicit DefaultWriter(const ImportedSchema& schema) : schema_(schema) {}

  Text write(const Expression& value, const ImportedType& type) const {
    if (type.head == "Optional" && !value.is_name("None")) return write(value, type.args.front());
    switch (value.kind) {
      case Expression::Kind::string:
        return yaml_string(value.text);
      case Expression::Kind::integer:
        return write_integer(value.text, type.head);
      case Expression::Kind::real:
        return float_default(value.text);
      case Expression::Kind::name:
        return write_word(value);
      case Expression::Kind::attribute:
        return write_member(value);
      case Expression::Kind::list:
        return write_list(value, type);
      case Expression::Kind::dict:
        return write_dict(value, type);
      case Expression::Kind::call:
        return write_object(value);
      default:
        return std::nullopt;
    }
  }

 private:
  static Text write_word(const Expression& value) {
    if (value.text == "None") return "null";
    if (value.text == "True") return "true";
    if (value.text == "False") return "false";
    return std::nullopt;
  }

  std::string write_integer(const std::string& digits, std::string_view type) const {
    if (type == "float" || type == "float32") return float_default(digits);
    const ImportedDefinition* const named = schema_.find(type);
    if (named == nullptr) return digits;
    const auto member = std::find_if(named->values.begin(), named->values.end(),
                                     [&](const ImportedEnumValue& one) { return one.number == digits; });
    return member == named->values.end() ? digits : member->name;
  }

  Text write_member(const Expression& value) const {
    const ImportedDefinition* const owner = schema_.find(value.parts.front().last_name());
    const bool is_enum = owner != nullptr && owner->kind == ImportedKind::enumeration;
    return is_enum ? Text(value.text) : std::nullopt;
  }

  static ImportedType inner_type(const ImportedType& type, std::string_view head, std::size_t index) {
    return type.head == head ? type.args.at(index) : ImportedType();
  }

  Text write_list(const Expression& value, const ImportedType& type) const {
    std::string out;
    for (const Expression& item : value.parts) {
      const Text text = write(item, inner_type(type, "List", 0));
      if (!text) return std::nullopt;
      out += (out.empty() ? "" : ", ") + *text;
    }
    return "[" + out + "]";
  }

  Text write_dict(const Expression& value, const ImportedType& type) const {
    std::string out;
    for (std::size_t i = 0; i + 1 < value.parts.size(); i += 2) {
      const Text key = write(value.parts[i], inner_type(type, "Dict", 0));
      const Text text = write(value.parts[i + 1], inner_type(type, "Dict", 1));
      if (!key || !text) return std::nullopt;
      out += (out.empty() ? "" : ", ") + *key + ": " + *text;
    }
    return "{" + out + "}";
  }

  Text write_object(const Expression& value) const {
    const Expression& function = value.parts.front();
    const bool is_create = function.kind == Expression::Kind::attribute && function.text == "create";
    const ImportedDefinition* const type =
        schema_.find((is_create ? function.parts.front() : function).last_name());
    if (type == nullptr) return std::nullopt;
    std::string out;
    for (std::size_t i = 0; i < value.keywords.size(); ++i) {
      const std::string& name = value.keywords[i];
      const auto field = std::find_if(type->fields.begin(), type->fields.end(),
                                      [&](const ImportedField& one) { return one.name == name; });
      const Text text = write(value.parts[i + 1], field == type->fields.end() ? ImportedType() : field->type);
      if (name.empty() || !text) return std::nullopt;
      out += (out.empty() ? "" : ", ") + name + ": " + *text;
    }
    return "{" + out + "}";
  }

  const ImportedSchema& schema_;
};

}  // namespace

std::optional<std::string> default_text(const Expression& value, const ImportedType& type,
                                        const ImportedSchema& schema) {
  return DefaultWriter(schema).write(value, type);
}

}  // namespace generator
