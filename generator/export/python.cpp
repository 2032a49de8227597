#include <algorithm>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "export/export.h"
#include "model/canonical.h"
#include "text/characters.h"
#include "text/float_literal.h"
#include "text/message.h"
#include "text/quoting.h"
#include "text/source_lines.h"

namespace generator {
namespace {

/// A field with a value would hide these in the class body. Enums do not use the last.
const Words& used_words() {
  static const Words words = words_of(
      {"Annotated Any bool bytes dict field float int list str tuple mro int8 int16 int32 uint8 uint16 "
       "uint32 uint64 float32"});
  return words;
}

bool is_of_module(const std::string& name) {
  static const Words words =
      words_of({"IntEnum SCHEMA_NAMES SCHEMA_VERSION _Union _union_dataclass classmethod dataclass len"});
  return words.count(name) != 0 || used_words().count(name) != 0;
}

/// Makes the file self-contained for schemas that PyTorch lacks.
constexpr std::string_view kUnion = R"(
_union_dataclass = dataclass


class _Union:
    """Exactly one member is set, the others are None."""

    @classmethod
    def create(cls, /, **member):
        assert len(member) == 1, member
        return cls(**{**dict.fromkeys(cls.__dataclass_fields__), **member})
)";

struct PythonNames {
  explicit PythonNames(const Model& model) {
    std::set<std::string> taken;
    for (const Definition& type : model.types) taken.insert(type.name);
    const std::set<std::string> of_types = taken;
    for (const Constant& constant : model.constants) taken.insert(constant.name);
    const auto at_top = [&](const std::string& name, bool is_type) {
      const bool is_other =
          is_python_keyword(name) || is_of_module(name) || (!is_type && of_types.count(name) != 0);
      return is_other ? free_name(name, taken) : name;
    };
    for (const Definition& type : model.types) types.push_back(at_top(type.name, true));
    type_names.insert(types.begin(), types.end());
    for (const Constant& constant : model.constants) constants.push_back(at_top(constant.name, false));
    for (const Definition& type : model.types) members.push_back(names_of_members(type));
  }

  std::vector<std::string> names_of_members(const Definition& type) const {
    std::set<std::string> taken;
    for (const Field& member : type.members()) taken.insert(member.name);
    std::vector<std::string> names;
    for (const Field& member : type.members()) {
      const std::string other = other_name(member, type.is_enum());
      names.push_back(other.empty() ? member.name : free_name(other, taken));
    }
    return names;
  }

  /// Returns what an underscore follows, or an empty string if the member's own name is possible.
  std::string other_name(const Field& member, bool is_of_enum) const {
    const std::string& name = member.name;
    // Python mangles `__x`, and its enums also reserve names with `_` at both ends.
    const bool is_marked = is_of_enum && name.front() == '_' && name.back() == '_';
    if (is_marked || name.substr(0, 2) == "__") return (is_of_enum ? "value" : "field") + name;
    const bool is_hiding = used_words().count(name) != 0 || (!is_of_enum && type_names.count(name) != 0);
    return is_python_keyword(name) || (is_hiding && (is_of_enum || member.fallback)) ? name : "";
  }

  static std::string free_name(const std::string& name, std::set<std::string>& taken) {
    return with_underscores(name, [&](const std::string& other) { return !taken.insert(other).second; });
  }

  std::vector<std::string> types;
  std::set<std::string> type_names;  // the same
  std::vector<std::string> constants;
  std::vector<std::vector<std::string>> members;
};

std::size_t index_of(const Definition& owner, const Field& field) {
  return static_cast<std::size_t>(&field - owner.members().data());
}

template <class Float>
std::string float_text(Float value) {
  return float_literal(value, "float(\"nan\")", "float(\"inf\")");
}

struct PythonValue {
  const Model& model;
  const PythonNames& names;

  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return float_text(value); }
  std::string operator()(float value) const { return float_text(value); }
  std::string operator()(const std::string& value) const { return python_repr(value); }
  std::string operator()(const ListLiteral& list) const {
    return "[" + joined(list.items, ", ", [&](const Literal& item) { return text(item); }) + "]";
  }
  std::string operator()(const MapLiteral& map) const {
    const auto entry = [&](const auto& one) { return text(one.key) + ": " + text(one.value); };
    return "{" + joined(map.entries, ", ", entry) + "}";
  }
  std::string operator()(const FieldsLiteral& fields) const {
    const Definition& owner = model.types[fields.type];
    const auto argument = [&](const FieldsLiteral::Value& one) {
      return names.members[fields.type][index_of(owner, field_of(owner, one))] + "=" + text(one.value);
    };
    return names.types[fields.type] + (owner.is_union() ? ".create(" : "(") +
           joined(fields.values, ", ", argument) + ")";
  }
  std::string operator()(const EnumMember& member) const {
    const Definition& owner = model.types[member.type];
    return names.types[member.type] + "." +
           names.members[member.type][index_of(owner, *find_named(owner.values, member.name))];
  }

  std::string text(const Literal& value) const { return std::visit(*this, value); }
};

std::string python_default(const Model& model, const PythonNames& names, const Field& field) {
  const Literal& value = *field.fallback;
  const std::string text = PythonValue{model, names}.text(value);
  if (is_composed(value)) return "field(default_factory=lambda: " + text + ")";
  if (std::holds_alternative<ListLiteral>(value)) return "field(default_factory=list)";
  return std::holds_alternative<MapLiteral>(value) ? "field(default_factory=dict)" : text;
}

class PythonWriter {
 public:
  explicit PythonWriter(const Model& model) : model_(model), names_(model), places_(model.types.size()) {
    for (std::size_t i = 0; i < model.types.size(); ++i) {
      for (const Field& field : model.types[i].fields) {
        if (field.fallback && std::holds_alternative<EnumMember>(*field.fallback)) place(field.type.named);
      }
      place(i);
    }
  }

  std::string write() const {
    std::string out = "# @generated by schemagen, schema=" + schema_hash(normal_form(model_)) +
                      "\n\nfrom dataclasses import dataclass, field\nfrom enum import IntEnum\n" +
                      "from typing import Annotated" + (uses(model_, Type::Kind::any) ? ", Any" : "") + "\n";
    const std::string module = torch_module(model_);
    out += module.empty() ? std::string(kUnion)
                          : "\nfrom " + module + ".serde.union import _Union, _union_dataclass\n";
    out += numbers();
    out += filled("\n\nSCHEMA_VERSION = ($, $)\n", model_.version.major_, model_.version.minor_);
    for (std::size_t i = 0; i < model_.constants.size(); ++i)
      out += names_.constants[i] + " = " + std::to_string(model_.constants[i].value) + "\n";
    for (const std::size_t i : order_) out += "\n\n" + definition(i);
    return out + renames();
  }

 private:
  void place(std::size_t type) {
    if (places_[type] != 0) return;
    order_.push_back(type);
    places_[type] = order_.size();
  }

  std::string renames() const {
    std::string out;
    const auto add = [&](const std::string& owner, const std::string& here, const std::string& name) {
      if (here != name) out += "    " + python_repr(owner + here) + ": " + python_repr(name) + ",\n";
    };
    for (std::size_t i = 0; i < model_.constants.size(); ++i)
      add("", names_.constants[i], model_.constants[i].name);
    for (std::size_t i = 0; i < model_.types.size(); ++i) {
      const Definition& type = model_.types[i];
      add("", names_.types[i], type.name);
      const std::string owner = names_.types[i] + ".";
      for (std::size_t j = 0; j < type.members().size(); ++j)
        add(owner, names_.members[i][j], type.members()[j].name);
    }
    return out.empty() ? "" : "\n\nSCHEMA_NAMES = {\n" + out + "}\n";
  }

  /// Numbers that Python lacks, if used. Not Annotated, because a field's annotation must add only its id.
  std::string numbers() const {
    std::string out;
    const auto add = [&](Type::Kind kind, const std::string& name, const std::string& type) {
      if (uses(model_, kind)) out += name + " = " + type + "\n";
    };
    for (const IntegerType& type : kIntegerTypes) {
      if (type.kind != Type::Kind::integer) add(type.kind, std::string(type.name), "int");
    }
    add(Type::Kind::float32, "float32", "float");
    return (out.empty() ? "" : "\n\n") + out;
  }

  std::string definition(std::size_t index) const {
    const Definition& type = model_.types[index];
    const std::string& name = names_.types[index];
    const std::string doc = commented(type.doc, "#");
    if (type.is_enum()) return doc + enum_text(type.values, index);
    const bool is_union = type.is_union();
    std::string out = doc + (is_union ? "@_union_dataclass" : decorator(type)) + "\nclass " + name +
                      (is_union ? "(_Union)" : "") + ":\n";
    if (type.fields.empty()) return out + "    pass\n";
    for (const Field& field : type.fields) out += field_text(field, index);
    return out;
  }

  /// Only keyword-only fields may lack a default after fields that have one.
  static std::string decorator(const Definition& type) {
    bool has_default = false;
    for (const Field& field : type.fields) {
      if (has_default && !field.fallback) return "@dataclass(kw_only=True)";
      has_default = has_default || field.fallback;
    }
    return "@dataclass";
  }

  std::string enum_text(const std::vector<Field>& values, std::size_t index) const {
    std::string out = "class " + names_.types[index] + "(IntEnum):\n";
    for (std::size_t i = 0; i < values.size(); ++i)
      out += "    " + names_.members[index][i] + " = " + std::to_string(values[i].id) + "\n";
    return out;
  }

  std::string field_text(const Field& field, std::size_t owner) const {
    std::string out = commented(description(field), "    #");
    out += "    " + names_.members[owner][index_of(model_.types[owner], field)] + ": Annotated[" +
           type_text(field.type, owner) + ", " + std::to_string(field.id) + "]";
    if (field.fallback) out += " = " + python_default(model_, names_, field);
    return out + "\n";
  }

  /// Quoted if the type is defined later.
  std::string type_text(const Type& type, std::size_t owner) const {
    constexpr TypeWords kCompound = {{},          {}, {},        {},           {},
                                     "tuple[()]", {}, "list[$]", "dict[#, $]", "$ | None"};
    if (type.kind == Type::Kind::named) {
      const std::string& name = names_.types[type.named];
      return places_[type.named] < places_[owner] ? name : '"' + name + '"';
    }
    if (kCompound.of(type.kind).empty()) return spelled(model_, type);
    std::string text = spelled(type, kCompound, [&](const Type& part) { return type_text(part, owner); });
    // Quotes around the type include the rest of its union.
    if (type.kind == Type::Kind::optional && text.front() == '"')
      text = text.erase(text.find('"', 1), 1) + '"';
    return text;
  }

  const Model& model_;
  PythonNames names_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> places_;
};

bool holds(const Type& type, Type::Kind kind) {
  return type.kind == kind || std::any_of(type.args.begin(), type.args.end(),
                                          [&](const Type& inner) { return holds(inner, kind); });
}

}  // namespace

bool uses(const Model& model, Type::Kind kind) {
  return std::any_of(model.types.begin(), model.types.end(), [&](const Definition& type) {
    return std::any_of(type.fields.begin(), type.fields.end(),
                       [&](const Field& field) { return holds(field.type, kind); });
  });
}

std::string export_python(const Model& model) {
  return PythonWriter(model).write();
}

}  // namespace generator
