#include "cpp/python_data.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "model/python_name.h"
#include "text/python_text.h"

namespace generator {
namespace {

constexpr std::string_view kModuleWords[] = {
    "ClassVar",      "DataError", "Error",   "Exception",      "Generic",         "Iterable", "Iterator",
    "Literal",       "Map",       "Mapping", "MutableMapping", "MutableSequence", "Self",     "Struct",
    "SupportsIndex", "TypeAlias", "TypeVar", "Union",          "ValueError",      "View"};
constexpr std::string_view kClassWords[] = {"drop_unknown", "from_binary",    "from_binary_file", "from_json",
                                            "to_binary",    "to_binary_file", "to_json"};
constexpr std::string_view kStructWords[] = {"self"};
constexpr std::string_view kUnionWords[] = {"Member", "Unset", "kind", "value"};
/// Members would hide these in annotations.
constexpr std::string_view kAnnotationWords[] = {"Any", "Iterable", "List",      "Literal",
                                                 "Map", "Mapping",  "TypeAlias", "builtins"};
constexpr std::string_view kEnumWords[] = {
    "mro",         "name",       "value", "as_integer_ratio", "bit_count", "bit_length", "conjugate",
    "denominator", "from_bytes", "imag",  "numerator",        "real",      "to_bytes",   "is_integer"};

/// Python gives `_name_` and `__name__` a meaning, and possibly `__name`; mypy lets `_` be redefined.
bool is_marked(std::string_view name) {
  return name == "_" || name.substr(0, 2) == "__" ||
         (name.size() > 2 && name.front() == '_' && name.back() == '_');
}

/// Python mangles `__x` inside a class.
std::string renamed(const std::string& name, const Definition& owner) {
  if (name == "_") return with_underscore("field", &owner);
  return with_underscore(name.substr(0, 2) == "__" ? "field" + name : name, &owner);
}

std::string type_name_of(const Model& model, const std::string& name) {
  if (!is_python_keyword(name) && !is_among(kModuleWords, name)) return name;
  std::string other = name;
  const auto has_it = [&](const Definition& type) { return type.name == other; };
  do {
    other += '_';
  } while (std::any_of(model.types.begin(), model.types.end(), has_it));
  return other;
}

bool mentions(const Model& model, const Type& type, const std::string& name) {
  if (type.kind == Type::Kind::named) return type_name_of(model, model.types[type.named].name) == name;
  return std::any_of(type.args.begin(), type.args.end(),
                     [&](const Type& part) { return mentions(model, part, name); });
}

std::string field_name_of(const Model& model, const Definition& owner, const std::string& name) {
  const bool is_union = std::holds_alternative<Union>(owner.body);
  const bool is_hiding = is_among(kAnnotationWords, name) || name == type_name_of(model, owner.name) ||
                         std::any_of(owner.fields().begin(), owner.fields().end(),
                                     [&](const Field& field) { return mentions(model, field.type, name); });
  const bool is_taken = is_python_keyword(name) || is_marked(name) || is_among(kClassWords, name) ||
                        (is_union ? is_among(kUnionWords, name) : is_among(kStructWords, name));
  return is_taken || is_hiding ? renamed(name, owner) : name;
}

std::string builtin(const Definition& owner, const std::string& name) {
  return has_member(owner, name) ? "builtins." + name : name;
}

struct Spelling {
  const Model& model;
  const Definition& owner;
  enum Use { given, held, read } use;  // assigned; an item of a list; read: a union is one of its members

  std::string builtin(const std::string& name) const { return generator::builtin(owner, name); }

  std::string operator()(const Type& type) const {
    constexpr TypeWords kWords = {"bool", "int", "float", "str", "bytes", "tuple", "Any", {}, {}, "$ | None"};
    switch (type.kind) {
      case Type::Kind::unit:
        return builtin("tuple") + "[()]";
      case Type::Kind::list:
        return (use == given ? "Iterable[" : "List[") + items(type.args.front()) + "]";
      case Type::Kind::map: {
        const Type* const key = key_of(type);
        return (use == given ? "Mapping[" : "Map[") + (key == nullptr ? builtin("str") : (*this)(*key)) +
               ", " + (*this)(type.args.front()) + "]";
      }
      case Type::Kind::named: {
        const Definition& named = model.types[type.named];
        const std::string name = type_name_of(model, named.name);
        // Unknown enum values are plain numbers.
        if (std::holds_alternative<Enum>(named.body)) return name + " | " + builtin("int");
        return use == read && std::holds_alternative<Union>(named.body) ? name + ".Member" : name;
      }
      default: {
        const std::string text = spelled(type, kWords, *this);
        const bool is_builtin = type.kind != Type::Kind::any && type.kind != Type::Kind::optional;
        return is_builtin ? builtin(text) : text;
      }
    }
  }

  std::string items(const Type& type) const {
    std::string as_read = (*this)(type);
    if (use != read) return as_read;
    const std::string as_held = Spelling{model, owner, held}(type);
    return as_held != as_read ? as_held + ", " + as_read : as_read;
  }
};

}  // namespace

void set_python_type(TemplateData& data, const Model& model, const Definition& type) {
  data.set("python_name", type_name_of(model, type.name));
  data.set("python_doc", python_repr(type.doc));
  data.set("python_property", builtin(type, "property"));
}

void set_python_value(TemplateData& data, const Definition& owner, const EnumValue& value) {
  const bool is_taken =
      is_python_keyword(value.name) || is_marked(value.name) || is_among(kEnumWords, value.name);
  data.set("python_name", is_taken ? renamed(value.name, owner) : value.name);
}

void set_python_field(TemplateData& data, const Model& model, const Definition& owner, const Field& field,
                      const std::string& doc) {
  data.set("python_name", field_name_of(model, owner, field.name));
  data.set("owner_python_name", type_name_of(model, owner.name));
  data.set("python_doc", python_repr(doc));
  data.set("python_property", builtin(owner, "property"));
  data.set("python_type", Spelling{model, owner, Spelling::read}(field.type));
  data.set("python_given", Spelling{model, owner, Spelling::given}(field.type));
  const Type::Kind kind = field.type.kind;
  const bool starts_empty = kind == Type::Kind::list || kind == Type::Kind::map ||
                            kind == Type::Kind::optional || kind == Type::Kind::unit;
  const bool is_required = !field.fallback && !starts_empty;
  data.set("python_is_required", is_required ? "true" : "false");
  data.set("python_default", is_required ? "" : " = ...");
}

}  // namespace generator
