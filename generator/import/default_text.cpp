#include <algorithm>

#include "import/imported_schema.h"
#include "text/float_literal.h"
#include "text/message.h"
#include "text/quoting.h"

namespace generator {
namespace {

using Expression = PythonExpression;
using Text = std::optional<std::string>;

struct DefaultWriter {
  const ImportedSchema& schema;

  Text write(const Expression& value, const ImportedType& type) const {
    if (type.head == "Optional" && !value.is_name("None")) return write(value, type.args.front());
    if (Text text = write_nonfinite(value)) return text;
    switch (value.kind) {
      case Expression::Kind::string:
        return yaml_string(value.text);
      case Expression::Kind::integer:
        return write_integer(value.text, type.head);
      case Expression::Kind::real:
        return yaml_float_of(value.text);
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

  /// `inf`, `math.nan` and `float("-Infinity")`, also negated.
  Text write_nonfinite(const Expression& value) const {
    const bool is_negated = value.kind == Expression::Kind::other && value.text == "-";
    const Expression& number = is_negated ? value.parts.front() : value;
    const bool is_word = number.kind == Expression::Kind::name ||
                         (number.kind == Expression::Kind::attribute &&
                          find_named(schema.types, number.parts.front().last_name()) == nullptr);
    const bool is_call = number.kind == Expression::Kind::call && number.parts.size() == 2 &&
                         number.parts.front().is_name("float") &&
                         number.parts.back().kind == Expression::Kind::string;
    if (!is_word && !is_call) return std::nullopt;
    std::string text = is_word ? number.text : number.parts.back().text;
    const bool has_minus = text.substr(0, 1) == "-";
    if (has_minus || text.substr(0, 1) == "+") text.erase(0, 1);
    text = yaml_float_of(text);
    if (text == ".inf") return (is_negated != has_minus ? "-" : "") + text;
    return text == ".nan" ? Text(text) : std::nullopt;
  }

  static Text write_word(const Expression& value) {
    if (value.text == "None") return "null";
    if (value.text == "True") return "true";
    if (value.text == "False") return "false";
    return std::nullopt;
  }

  std::string write_integer(const std::string& digits, std::string_view type) const {
    if (type == "float" || type == "float32") return yaml_float_of(digits);
    const ImportedDefinition* const named = find_named(schema.types, type);
    if (named == nullptr) return digits;
    const auto member = std::find_if(named->values.begin(), named->values.end(),
                                     [&](const ImportedNumber& one) { return one.number == digits; });
    return member == named->values.end() ? digits : member->name;
  }

  Text write_member(const Expression& value) const {
    const ImportedDefinition* const owner = find_named(schema.types, value.parts.front().last_name());
    const bool is_enum = owner != nullptr && owner->kind == DefinitionKind::enumeration;
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
        find_named(schema.types, (is_create ? function.parts.front() : function).last_name());
    if (type == nullptr) return std::nullopt;
    std::string out;
    for (std::size_t i = 0; i < value.keywords.size(); ++i) {
      const std::string& name = value.keywords[i];
      const ImportedField* const field = find_named(type->fields, name);
      const Text text = write(value.parts[i + 1], field == nullptr ? ImportedType() : field->type);
      if (name.empty() || !text) return std::nullopt;
      out += (out.empty() ? "" : ", ") + name + ": " + *text;
    }
    return "{" + out + "}";
  }
};

}  // namespace

std::optional<std::string> default_text(const PythonExpression& value, const ImportedType& type,
                                        const ImportedSchema& schema) {
  return DefaultWriter{schema}.write(value, type);
}

}  // namespace generator
