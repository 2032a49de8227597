// Dataclasses with their ids, as PyTorch's schema.py is written: what tools/port_schema.py reads.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "export/description.h"
#include "export/export.h"
#include "model/canonical.h"
#include "schemagen/value/float_text.h"
#include "text/joined.h"
#include "text/python_text.h"

namespace generator {
namespace {

/// What a class looks up in itself first, if a field of it has a value; no enum has the last one.
constexpr std::string_view kUsedWords[] = {
    "Annotated", "Any", "bool", "bytes", "dict",  "field", "float",  "int",    "list",   "str",
    "tuple",     "mro", "int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "float32"};

/// For what is not PyTorch's schema, so that the file needs nothing else.
constexpr std::string_view kUnion = R"(
_union_dataclass = dataclass


class _Union:
    """Exactly one member is set, the others are None."""

    @classmethod
    def create(cls, **member):
        assert len(member) == 1, member
        return cls(**{**dict.fromkeys(cls.__dataclass_fields__), **member})
)";

template <typename Words>
bool is_among(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

template <typename Members>
bool has_member(const Members& members, std::string_view name) {
  return std::any_of(members.begin(), members.end(), [&](const auto& member) { return member.name == name; });
}

bool has_member(const Definition& type, std::string_view name) {
  const auto* const body = std::get_if<Enum>(&type.body);
  return body != nullptr ? has_member(body->values, name) : has_member(type.fields(), name);
}

/// `name`, or with `_` behind it where Python has another plan for it; another one if `owner`, the type that
/// it is a member of, has that.
std::string python_name(std::string name, const Definition* owner = nullptr, bool has_value = false) {
  if (!is_python_keyword(name) && !(has_value && is_among(kUsedWords, name))) return name;
  do {
    name += '_';
  } while (owner != nullptr && has_member(*owner, name));
  return name;
}

/// A value as Python writes it.
struct PythonValue {
  const Model& model;
  const Type& type;

  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return schemagen::float_text(value); }
  std::string operator()(float value) const { return schemagen::float_text(value); }
  std::string operator()(const std::string& value) const { return python_repr(value); }
  std::string operator()(const ListLiteral& list) const {
    std::vector<std::string> items;
    for (const Literal& item : list.items) items.push_back(text(type.args.front(), item));
    return "[" + joined(items, ", ") + "]";
  }
  std::string operator()(const MapLiteral& map) const {
    std::vector<std::string> entries;
    for (const auto& [key, value] : map.entries)
      entries.push_back(text(key_of(type) == nullptr ? type : *key_of(type), key) + ": " +
                        text(type.args.front(), value));
    return "{" + joined(entries, ", ") + "}";
  }
  std::string operator()(const FieldsLiteral& fields) const {
    const Definition& owner = model.types[fields.type];
    std::vector<std::string> values;
    for (const FieldsLiteral::Value& one : fields.values) {
      const Field& field = field_of(owner, one);
      values.push_back(python_name(field.name, &owner, field.fallback.has_value()) + "=" +
                       text(field.type, one.value));
    }
    const bool is_union = std::holds_alternative<Union>(owner.body);
    return python_name(owner.name) + (is_union ? ".create(" : "(") + joined(values, ", ") + ")";
  }
  std::string operator()(const EnumMember& member) const {
    const Definition& owner = model.types[type.named];
    return python_name(owner.name) + "." + python_name(member.name, &owner, true);
  }

  std::string text(const Type& of, const Literal& value) const {
    return std::visit(PythonValue{model, of.kind == Type::Kind::optional ? of.args.front() : of}, value);
  }
};

/// A default, which a function makes where it could be changed.
std::string python_default(const Model& model, const Field& field) {
  const Literal& value = *field.fallback;
  const std::string text = PythonValue{model, field.type}.text(field.type, value);
  if (is_composed(value)) return "field(default_factory=lambda: " + text + ")";
  if (std::holds_alternative<ListLiteral>(value)) return "field(default_factory=list)";
  return std::holds_alternative<MapLiteral>(value) ? "field(default_factory=dict)" : text;
}

/// `text` as lines of comment.
std::string python_comment(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.append(indent).append(end == 0 ? "#" : "# ").append(text.substr(0, end)).append("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

class PythonWriter {
 public:
  explicit PythonWriter(const Model& model) : model_(model) {}

  std::string write() const {
    std::string out = "# @generated by schemagen, schema=" + schema_hash(normal_form(model_)) +
                      "\n\nfrom dataclasses import dataclass, field\nfrom enum import IntEnum\n" +
                      "from typing import Annotated" + (uses(Type::Kind::any) ? ", Any" : "") + "\n";
    out += model_.name == "pt2" ? "\nfrom torch._export.serde.union import _Union, _union_dataclass\n"
                                : std::string(kUnion);
    out += numbers();
    out += "\n\nSCHEMA_VERSION = (" + std::to_string(model_.version.major_) + ", " +
           std::to_string(model_.version.minor_) + ")\n";
    for (const Constant& constant : model_.constants) {
      out += python_name(constant.name) + " = " + std::to_string(constant.value) + "\n";
    }
    for (std::size_t i = 0; i < model_.types.size(); ++i) out += "\n\n" + definition(i);
    return out;
  }

 private:
  bool uses(Type::Kind kind) const {
    return std::any_of(model_.types.begin(), model_.types.end(), [&](const Definition& type) {
      return std::any_of(type.fields().begin(), type.fields().end(), [&](const Field& field) {
        const Type* inner = &field.type;
        while (!inner->args.empty()) inner = &inner->args.front();
        return inner->kind == kind;
      });
    });
  }

  /// The numbers for which Python has no type of its own, as far as they are used. Not Annotated, so that the
  /// id is all that a field's annotation adds.
  std::string numbers() const {
    std::string out;
    const auto add = [&](Type::Kind kind, const std::string& name, const std::string& type) {
      if (uses(kind)) out += name + " = " + type + "\n";
    };
    for (const IntegerType& type : integer_types()) {
      if (type.kind != Type::Kind::integer) add(type.kind, std::string(type.name), "int");
    }
    add(Type::Kind::float32, "float32", "float");
    return (out.empty() ? "" : "\n\n") + out;
  }

  std::string definition(std::size_t index) const {
    const Definition& type = model_.types[index];
    const std::string name = type_name(index);
    const std::string doc = python_comment(type.doc, "");
    if (const auto* body = std::get_if<Enum>(&type.body)) return doc + enum_text(type, *body, name);
    const bool is_union = std::holds_alternative<Union>(type.body);
    std::string out = doc + (is_union ? "@_union_dataclass" : decorator(type)) + "\nclass " + name +
                      (is_union ? "(_Union)" : "") + ":\n";
    if (type.fields().empty()) return out + "    pass\n";
    for (const Field& field : type.fields()) out += field_text(field, index);
    return out;
  }

  /// A dataclass takes fields without a default only before those with one, unless they are named.
  static std::string decorator(const Definition& type) {
    bool has_default = false;
    for (const Field& field : type.fields()) {
      if (has_default && !field.fallback) return "@dataclass(kw_only=True)";
      has_default = has_default || field.fallback;
    }
    return "@dataclass";
  }

  static std::string enum_text(const Definition& type, const Enum& body, const std::string& name) {
    std::string out = "class " + name + "(IntEnum):\n";
    for (const EnumValue& value : body.values) {
      out += "    " + python_name(value.name, &type, true) + " = " + std::to_string(value.number) + "\n";
    }
    return out;
  }

  std::string field_text(const Field& field, std::size_t owner) const {
    std::string out = python_comment(description(field), "    ");
    out += "    " + python_name(field.name, &model_.types[owner], field.fallback.has_value()) +
           ": Annotated[" + type_text(field.type, owner) + ", " + std::to_string(field.id) + "]";
    if (field.fallback) out += " = " + python_default(model_, field);
    return out + "\n";
  }

  /// In quotes where the type is defined later.
  std::string type_text(const Type& type, std::size_t owner) const {
    switch (type.kind) {
      case Type::Kind::boolean:
      case Type::Kind::integer:
      case Type::Kind::floating:
      case Type::Kind::int8:
      case Type::Kind::int16:
      case Type::Kind::int32:
      case Type::Kind::uint8:
      case Type::Kind::uint16:
      case Type::Kind::uint32:
      case Type::Kind::uint64:
      case Type::Kind::float32:
      case Type::Kind::string:
      case Type::Kind::bytes:
      case Type::Kind::any:
        return spelled(model_, type);
      case Type::Kind::unit:
        return "tuple[()]";
      case Type::Kind::list:
        return "list[" + type_text(type.args.front(), owner) + "]";
      case Type::Kind::map:
        return "dict[" + (key_of(type) == nullptr ? "str" : type_text(*key_of(type), owner)) + ", " +
               type_text(type.args.front(), owner) + "]";
      case Type::Kind::optional: {
        const std::string inner = type_text(type.args.front(), owner);
        if (inner.front() != '"') return inner + " | None";
        return inner.substr(0, inner.size() - 1) + " | None\"";
      }
      case Type::Kind::named:
        break;
    }
    const std::string name = type_name(type.named);
    return type.named < owner ? name : '"' + name + '"';
  }

  std::string type_name(std::size_t index) const { return python_name(model_.types[index].name); }

  const Model& model_;  // must outlive this
};

}  // namespace

std::string export_python(const Model& model) {
  return PythonWriter(model).write();
}

}  // namespace generator
