#include "cpp/template_data.h"

#include <algorithm>

#include "cpp/python_data.h"
#include "model/canonical.h"
#include "model/layout.h"
#include "schemagen/base/sha256.h"
#include "text/float_literal.h"
#include "text/message.h"

namespace generator {
namespace {

std::string cpp_literal(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool makes_trigraph = c == '?' && result.back() == '?';
    if (c == '"' || c == '\\' || makes_trigraph) {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte >= 0x7f) {
      // Octal ends after three digits even if digits follow.
      result += '\\';
      result += kHex[byte >> 6];
      result += kHex[(byte >> 3) & 7];
      result += kHex[byte & 7];
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string int_literal(std::int64_t value) {
  // The minimum has no literal: its absolute value does not fit.
  if (value == INT64_MIN) return "-9223372036854775807 - 1";
  return std::to_string(value);
}

/// At most 100 columns. Tabs and line endings are the only control characters.
std::string comment(std::string_view text, const std::string& indent) {
  const std::string start = indent + "/// ";
  std::string result;
  for (const std::string& line : wrapped(text, 100 - start.size())) result += start + line + "\n";
  // A backslash at the end of a comment, or its trigraph, would join the next line.
  for (const std::string_view splice : {"\\\n", "?\?/\n"}) {
    for (std::size_t i = result.find(splice); i != std::string::npos; i = result.find(splice, i))
      result.insert(i + splice.size() - 1, ".");
  }
  return result;
}

template <class Float>
std::string cpp_float(Float value) {
  const std::string limits =
      std::is_same_v<Float, float> ? "std::numeric_limits<float>::" : "std::numeric_limits<double>::";
  return float_literal(value, limits + "quiet_NaN()", limits + "infinity()") +
         (std::is_same_v<Float, float> && std::isfinite(value) ? "F" : "");
}

struct TemplateDataMaker {
  const Model& model;
  CppNames all_names = cpp_names(model);

  TemplateData make(const std::string& name_space) const {
    TemplateData data;
    const std::string form = normal_form(model);
    const std::string hash = schema_hash(form);
    const std::string bytes = hash_bytes(hash);
    const std::string id = "{" + bytes.substr(0, std::string_view("0x00, ").size() * 8 - 2) + "}";
    data.set("schema", model.name, "namespace", name_space.empty() ? all_names.name_space.name : name_space,
             "major", model.version.major_, "minor", model.version.minor_, "hash", hash, "hash_bytes", bytes,
             "schema_id", id, "constants", constants(), "guard", guard_name(hash), "roots", roots(),
             "root_count", model.roots.size(), "normal_form", lines_as_literals(form), "macro_names",
             macro_names(all_names));
    data.set("kinds", TemplateData::List{TemplateData::of("kind", "Struct", "is_union", false),
                                         TemplateData::of("kind", "Union", "is_union", true)});
    TemplateData::List enums;
    TemplateData::List named_enums;
    TemplateData::List unions;
    bool has_version_fields = false;
    bool needs_limits = false;
    TemplateData::List types;
    for (const std::size_t i : layout(model)) {
      const Definition& type = model.types[i];
      if (type.is_enum()) {
        enums.push_back(enum_data(type));
        if (type.is_named_in_json) named_enums.push_back(enums.back());
        continue;
      }
      has_version_fields = has_version_fields || find_version_field(type) != nullptr;
      for (const Field& field : type.fields)
        needs_limits = needs_limits || initializer(field).find("std::numeric_limits<") != std::string::npos;
      types.push_back(fields_data(type));
      if (type.is_union()) unions.push_back(types.back());
    }
    for (TemplateData& type : types) type.set("list_end", &type == &types.back() ? ">;" : ",");
    data.set("has_types", !types.empty(), "has_version_fields", has_version_fields, "needs_limits",
             needs_limits, "has_named_enums", !named_enums.empty(), "enums", std::move(enums), "named_enums",
             std::move(named_enums), "unions", std::move(unions), "types", std::move(types));
    add_reflection(data, model, all_names.types);
    return data;
  }

  static std::string hash_bytes(const std::string& hash) {
    const std::string hex = hash.substr(std::string_view("sha256:").size());
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      if (i != 0) bytes += i % 32 == 0 ? ",\n    " : ", ";
      bytes += "0x" + hex.substr(i, 2);
    }
    return bytes;
  }

  /// Only object files of exactly this schema define this function. Its name ends in a hash of what the
  /// schema's hash ignores but C++ does not: order, boxes and names of members.
  std::string guard_name(const std::string& hash) const {
    constexpr std::size_t kIdDigits = 16;
    constexpr std::size_t kLayoutDigits = 8;
    std::string members;
    for (const Definition& type : model.types) {
      members += type_name(type) + "\n";
      const std::vector<CppName>& names = member_names(type);
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        members += cpp_type(type.fields[i]) + " " + names[i].name + "\n";
    }
    const std::string id = hash.substr(std::string_view("sha256:").size(), kIdDigits);
    return "built_for_schema_" + model.name + "_" + std::to_string(model.version.major_) + "_" + id + "_" +
           schemagen::sha256_hex(members).substr(0, kLayoutDigits);
  }

  TemplateData::List roots() const {
    TemplateData::List list;
    for (const std::size_t root : model.roots) {
      const auto hash = [&](Form form) { return schema_hash(form_of(model, root, form)); };
      list.push_back(TemplateData::of("schema_name", model.types[root].name, "schema_hash",
                                      hash(Form::schema), "bin_hash", hash(Form::binary), "json_hash",
                                      hash(Form::json)));
    }
    return list;
  }

  static std::string lines_as_literals(const std::string& text) {
    return joined(lines_of(text), "\n    ",
                  [](std::string_view line) { return cpp_literal(std::string(line) + "\n"); });
  }

  TemplateData::List constants() const {
    TemplateData::List list;
    for (const Constant& constant : model.constants) {
      const std::string& name = all_names.constants[list.size()].name;
      list.push_back(TemplateData::of("name", name, "value", int_literal(constant.value)));
    }
    return list;
  }

  std::size_t index_of(const Definition& type) const {
    return static_cast<std::size_t>(&type - model.types.data());
  }
  const std::string& type_name(const Definition& type) const { return all_names.types[index_of(type)].name; }

  const std::vector<CppName>& member_names(const Definition& owner) const {
    return all_names.members[index_of(owner)];
  }

  std::string cpp_type(const Type& type) const {
    constexpr TypeWords kWords = {"bool",
                                  "std::int64_t",
                                  "double",
                                  "std::string",
                                  "schemagen::Bytes",
                                  "schemagen::Unit",
                                  "schemagen::Json",
                                  "std::vector<$>",
                                  "schemagen::Map<$",
                                  "std::optional<$>"};
    if (type.kind == Type::Kind::named) return all_names.types[type.named].name;
    if (type.kind == Type::Kind::float32) return "float";
    if (type.kind != Type::Kind::integer && integer_type(type.kind) != nullptr)
      return "std::" + spelled(model, type) + "_t";
    // std::vector<std::uint8_t> would be bytes.
    if (type.kind == Type::Kind::list && type.args[0].kind == Type::Kind::uint8) return "schemagen::ByteList";
    std::string text = spelled(type, kWords, [&](const Type& part) { return cpp_type(part); });
    if (type.kind != Type::Kind::map) return text;
    return text + (key_of(type) == nullptr ? "" : ", " + cpp_type(*key_of(type))) + ">";
  }

  std::string cpp_type(const Field& field) const {
    if (!field.boxed) return cpp_type(field.type);
    if (field.type.kind == Type::Kind::optional) {
      return "std::optional<schemagen::Box<" + cpp_type(field.type.args[0]) + ">>";
    }
    return "schemagen::Box<" + cpp_type(field.type) + ">";
  }

  static const Field* find_version_field(const Definition& type) {
    for (const Field& field : type.fields) {
      if (field.states_version) return &field;
    }
    return nullptr;
  }

  std::string own_version(const Field& field) const {
    const std::string major = std::to_string(model.version.major_);
    const std::string minor = std::to_string(model.version.minor_);
    const bool is_major_first = model.types[field.type.named].fields.front().name == "major";
    return "{" + (is_major_first ? major + ", " + minor : minor + ", " + major) + "}";
  }

  std::string initializer(const Field& field) const {
    if (field.states_version) return " = " + own_version(field);
    if (field.fallback) {
      if (const std::string value = literal(field); !value.empty()) return " = " + value;
      return {};
    }
    constexpr TypeWords kZeros = {" = false", " = 0", " = 0.0", {}, {}, {}, {}, {}, {}, {}};
    if (model.is_enum(field.type)) return "{}";
    return std::string(kZeros.of(field.type.kind)) + (field.type.kind == Type::Kind::float32 ? "F" : "");
  }

  std::string literal(const Field& field) const {
    if (std::holds_alternative<std::monostate>(*field.fallback)) return {};
    if (is_composed(*field.fallback)) {
      const std::string value = cpp_value(field.type, *field.fallback);
      // A box needs a value, and a union a call.
      const bool is_union = field.type.kind == Type::Kind::named && model.types[field.type.named].is_union();
      return field.boxed || is_union ? value : value.substr(value.find('{'));
    }
    const bool is_empty = std::holds_alternative<ListLiteral>(*field.fallback) ||
                          std::holds_alternative<MapLiteral>(*field.fallback);
    return is_empty ? "" : cpp_value(field.type, *field.fallback);
  }

  /// Without the type for numbers, strings and keywords.
  std::string cpp_value(const Type& type, const Literal& value) const {
    struct Spell {
      const TemplateDataMaker& maker;
      const Type& type;
      std::string operator()(std::monostate) const { return "std::nullopt"; }
      std::string operator()(bool value) const { return value ? "true" : "false"; }
      std::string operator()(std::int64_t value) const { return int_literal(value); }
      std::string operator()(std::uint64_t value) const { return std::to_string(value) + "U"; }
      std::string operator()(double value) const { return cpp_float(value); }
      std::string operator()(float value) const { return cpp_float(value); }
      std::string operator()(const std::string& value) const {
        // A NUL would end the literal.
        return value.find('\0') == std::string::npos
                   ? cpp_literal(value)
                   : "std::string(" + cpp_literal(value) + ", " + std::to_string(value.size()) + ")";
      }
      std::string operator()(const ListLiteral& list) const {
        const auto text = [&](const Literal& item) { return maker.cpp_value(type.args.front(), item); };
        return maker.cpp_type(type) + "{" + joined(list.items, ", ", text) + "}";
      }
      std::string operator()(const MapLiteral& map) const {
        const Type& key_type = key_of(type) == nullptr ? type : *key_of(type);
        const auto text = [&](const MapLiteral::Entry& entry) {
          return "{" + maker.cpp_value(key_type, entry.key) + ", " +
                 maker.cpp_value(type.args.front(), entry.value) + "}";
        };
        return maker.cpp_type(type) + "{" + joined(map.entries, ", ", text) + "}";
      }
      std::string operator()(const FieldsLiteral& literal) const {
        const Definition& owner = maker.model.types[literal.type];
        std::vector<std::string> values;
        for (const FieldsLiteral::Value& one : literal.values)
          values.push_back(maker.cpp_value(field_of(owner, one).type, one.value));
        const std::string& name = maker.type_name(owner);
        if (owner.is_struct()) return name + "{" + joined(values, ", ") + "}";
        const auto member =
            static_cast<std::size_t>(&field_of(owner, literal.values.front()) - owner.fields.data());
        const Type& held = owner.fields[member].type;
        const IntegerType* const integer = integer_type(held.kind);
        // Inside the function, the constant would be narrowed.
        const bool is_narrow = integer != nullptr && integer->max <= UINT32_MAX;
        return name + "::of<" + name + "::" + maker.member_names(owner)[member].name + ">(" +
               (is_narrow ? maker.cpp_type(held) + "{" + values.front() + "}" : values.front()) + ")";
      }
      std::string operator()(const EnumMember& value) const {
        const Definition& owner = maker.model.types[type.named];
        std::size_t index = 0;
        while (owner.values[index].name != value.name) ++index;
        return maker.cpp_type(type) + "::" + maker.member_names(owner)[index].name;
      }
    };
    return std::visit(Spell{*this, without_optional(type)}, value);
  }

  TemplateData type_data(const Definition& type, const PythonClass& python) const {
    auto data =
        TemplateData::of("name", type_name(type), "schema_name", type.name, "type_index", index_of(type),
                         "doc", comment(type.doc, ""), "doc_literal", cpp_literal(type.doc));
    python.set_type(data);
    return data;
  }

  TemplateData enum_data(const Definition& type) const {
    const PythonClass python(model, type);
    TemplateData data = type_data(type, python);
    const std::vector<CppName>& names = member_names(type);
    TemplateData::List values;
    for (const Field& value : type.values) {
      auto one = TemplateData::of("owner", type_name(type), "name", names[values.size()].name, "schema_name",
                                  value.name, "number", int_literal(value.id));
      python.set_value(one, value);
      values.push_back(std::move(one));
    }
    data.set("values", std::move(values));
    return data;
  }

  TemplateData fields_data(const Definition& type) const {
    const PythonClass python(model, type);
    TemplateData data = type_data(type, python);
    const std::vector<CppName>& names = member_names(type);
    TemplateData::List fields;
    for (const Field& field : type.fields) {
      const std::size_t index = fields.size();
      fields.push_back(field_data(type, python, field, names[index].name, index));
    }
    set_fields_by_id(data, type, python, names);
    const Field* const version = find_version_field(type);
    data.set("is_union", type.is_union(), "starts_omittable", starts_omittable(type), "states_version",
             version != nullptr, "version_field", version == nullptr ? "" : version->name, "is_empty",
             fields.empty(), "gap", fields.empty() ? "" : "\n", "tag_type",
             fields.size() < 256 ? "std::uint8_t" : "std::uint16_t", "fields", std::move(fields));
    return data;
  }

  void set_fields_by_id(TemplateData& data, const Definition& type, const PythonClass& python,
                        const std::vector<CppName>& names) const {
    const std::vector<Field>& all = type.fields;
    std::vector<std::size_t> sorted;
    for (std::size_t i = 0; i < all.size(); ++i) sorted.push_back(i);
    std::sort(sorted.begin(), sorted.end(),
              [&](std::size_t a, std::size_t b) { return all[a].id < all[b].id; });
    TemplateData::List fields;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      fields.push_back(field_data(type, python, all[sorted[i]], names[sorted[i]].name, i));
    }
    data.set("fields_by_id", std::move(fields), "field_count", sorted.size());
  }

  TemplateData field_data(const Definition& owner, const PythonClass& python, const Field& field,
                          const std::string& name, std::size_t index) const {
    const bool is_known_first = index == 0 && !starts_omittable(owner);
    const bool has_default = field.fallback.has_value();
    // Reading must replace the default, not merge with it.
    const bool is_filled = has_default && has_parts(field.type);
    const bool may_be_absent = field.type.kind == Type::Kind::optional;
    const std::string own = field.states_version ? "out.writes_unknown_fields() ? value." + name + " : " +
                                                       cpp_type(field) + own_version(field)
                                                 : "value." + name;
    const std::string doc = description(field);
    auto data = TemplateData::of("owner", type_name(owner), "name", name, "schema_name", field.name, "type",
                                 cpp_type(field), "initializer", initializer(field), "written", own, "id",
                                 field.id, "index", index, "tag", index + 1, "holds", held_type(field));
    data.set("separator", is_known_first ? "{" : ", ", "key_by",
             starts_omittable(owner) ? "next_field" : "text", "is_omittable", is_omittable(field), "required",
             has_default ? "false" : "true", "taken_by", has_default ? "take" : "require", "has_default",
             has_default, "presence",
             may_be_absent ? "optional"
             : has_default ? "defaulted"
                           : "required",
             "read_into", is_filled ? "schemagen::emptied(out." + name + ")" : "out." + name,
             "taken_from_binary_by",
             is_filled       ? "take_anew"
             : may_be_absent ? "may_take"
                             : "take",
             "doc", comment(doc, owner.is_union() ? "    " : "  "), "doc_literal", cpp_literal(doc));
    python.set_field(data, field, doc);
    return data;
  }

  bool has_parts(const Type& type) const {
    return type.kind == Type::Kind::list || type.kind == Type::Kind::map ||
           (type.kind == Type::Kind::named && !model.is_enum(type));
  }

  std::string held_type(const Field& field) const {
    const auto type = named_in(field.type);
    const bool is_composed = type && !model.types[*type].is_enum();
    return is_composed ? "&types::" + type_name(model.types[*type]) : "nullptr";
  }

  static bool is_omittable(const Field& field) {
    return field.type.kind == Type::Kind::optional && field.fallback.has_value();
  }

  /// The first field that is written, if any, is then known only at run time.
  static bool starts_omittable(const Definition& type) {
    return type.fields.empty() || is_omittable(type.fields.front());
  }
};

}  // namespace

TemplateData::List macro_names(const CppNames& names) {
  std::set<std::string> all = names_of_generated_code();
  const auto add = [&](const std::vector<CppName>& more) {
    for (const CppName& name : more) all.insert(name.name);
  };
  add(names.types);
  add(names.constants);
  for (const std::vector<CppName>& members : names.members) add(members);
  TemplateData::List list;
  for (const std::string& name : all) list.push_back(TemplateData::of("name", name));
  return list;
}

TemplateData template_data(const Model& model, const std::string& name_space) {
  return TemplateDataMaker{model}.make(name_space);
}

}  // namespace generator
