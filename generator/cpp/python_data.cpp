#include "cpp/python_data.h"
#include "text/characters.h"
#include "text/quoting.h"

namespace generator {
namespace {

const Words kModuleWords = words_of(
    {"ClassVar DataError Error Exception Generic Iterable Iterator Literal Map Mapping MutableMapping "
     "MutableSequence Self Struct SupportsIndex TypeAlias TypeVar Union ValueError View"});
const Words kClassWords =
    words_of({"drop_unknown from_binary from_binary_file from_json to_binary to_binary_file to_json"});
const Words kStructWords = words_of({"self"});
const Words kUnionWords = words_of({"Member Unset kind value"});
/// Members would hide these in annotations.
const Words kAnnotationWords = words_of({"Any Iterable List Literal Map Mapping TypeAlias builtins"});
const Words kEnumWords = words_of(
    {"mro name value as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator "
     "real to_bytes is_integer"});

/// Python gives `_name_` and `__name__` a meaning, and possibly `__name`; mypy lets `_` be redefined.
bool is_marked(std::string_view name) {
  return name == "_" || name.substr(0, 2) == "__" ||
         (name.size() > 2 && name.front() == '_' && name.back() == '_');
}

std::string type_name_of(const Model& model, const std::string& name) {
  if (!is_python_keyword(name) && kModuleWords.count(name) == 0) return name;
  return with_underscores(name, [&](const std::string& other) { return model.find(other).has_value(); });
}

void add_mentioned(const Model& model, const Type& type, std::unordered_set<std::string>& names) {
  if (type.kind == Type::Kind::named) names.insert(type_name_of(model, model.types[type.named].name));
  for (const Type& part : type.args) add_mentioned(model, part, names);
}

}  // namespace

PythonClass::PythonClass(const Model& model, const Definition& type) : model_(model), type_(type) {
  for (const Field& member : type.members()) {
    members_.insert(member.name);
    add_mentioned(model, member.type, mentioned_);
  }
}

std::string PythonClass::renamed(std::string name) const {
  // Python mangles `__x` inside a class.
  if (name == "_" || name.substr(0, 2) == "__") name = name == "_" ? "field" : "field" + name;
  return with_underscores(name, [&](const std::string& other) { return members_.count(other) != 0; });
}

std::string PythonClass::field_name(const std::string& name) const {
  const bool is_union = type_.is_union();
  const bool is_hiding = kAnnotationWords.count(name) != 0 || name == type_name_of(model_, type_.name) ||
                         mentioned_.count(name) != 0;
  const bool is_taken = is_python_keyword(name) || is_marked(name) || kClassWords.count(name) != 0 ||
                        (is_union ? kUnionWords.count(name) != 0 : kStructWords.count(name) != 0);
  return is_taken || is_hiding ? renamed(name) : name;
}

std::string PythonClass::builtin(const std::string& name) const {
  return members_.count(name) != 0 ? "builtins." + name : name;
}

std::string PythonClass::spelled_type(const Type& type, Use use) const {
  constexpr TypeWords kWords = {"bool", "int", "float", "str", "bytes", "tuple", "Any", {}, {}, "$ | None"};
  switch (type.kind) {
    case Type::Kind::unit:
      return builtin("tuple") + "[()]";
    case Type::Kind::list:
      return (use == given ? "Iterable[" : "List[") + items(type.args.front(), use) + "]";
    case Type::Kind::map: {
      const Type* const key = key_of(type);
      return (use == given ? "Mapping[" : "Map[") +
             (key == nullptr ? builtin("str") : spelled_type(*key, use)) + ", " +
             spelled_type(type.args.front(), use) + "]";
    }
    case Type::Kind::named: {
      const Definition& named = model_.types[type.named];
      const std::string name = type_name_of(model_, named.name);
      // Unknown enum values are plain numbers.
      if (named.is_enum()) return name + " | " + builtin("int");
      return use == read && named.is_union() ? name + ".Member" : name;
    }
    default: {
      const std::string text =
          spelled(type, kWords, [&](const Type& part) { return spelled_type(part, use); });
      const bool is_builtin = type.kind != Type::Kind::any && type.kind != Type::Kind::optional;
      return is_builtin ? builtin(text) : text;
    }
  }
}

std::string PythonClass::items(const Type& type, Use use) const {
  std::string as_read = spelled_type(type, use);
  if (use != read) return as_read;
  const std::string as_held = spelled_type(type, held);
  return as_held != as_read ? as_held + ", " + as_read : as_read;
}

void PythonClass::set_type(TemplateData& data) const {
  data.set("python_name", type_name_of(model_, type_.name), "python_doc", python_repr(type_.doc),
           "python_property", builtin("property"));
}

void PythonClass::set_value(TemplateData& data, const Field& value) const {
  const bool is_taken =
      is_python_keyword(value.name) || is_marked(value.name) || kEnumWords.count(value.name) != 0;
  data.set("python_name", is_taken ? renamed(value.name) : value.name);
}

void PythonClass::set_field(TemplateData& data, const Field& field, const std::string& doc) const {
  const Type::Kind kind = field.type.kind;
  const bool starts_empty = kind == Type::Kind::list || kind == Type::Kind::map ||
                            kind == Type::Kind::optional || kind == Type::Kind::unit;
  const bool is_required = !field.fallback && !starts_empty;
  data.set("python_name", field_name(field.name), "owner_python_name", type_name_of(model_, type_.name),
           "python_doc", python_repr(doc), "python_property", builtin("property"), "python_type",
           spelled_type(field.type, read), "python_given", spelled_type(field.type, given),
           "python_is_required", is_required ? "true" : "false", "python_default",
           is_required ? "" : " = ...");
}

}  // namespace generator
