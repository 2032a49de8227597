#include "front/resolve_steps.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "model/layout.h"
#include "schemagen/base/float_text.h"
#include "text/json_text.h"

namespace generator {
namespace {

std::string default_of(const std::string& path) {
  return "the default of " + quoted(path);
}

std::string nearest_member(const Definition& type, const std::string& text) {
  Names members;
  for (const Field& value : type.values) {
    if (members.size() > kMaxCandidates) break;
    if (std::to_string(value.id) == text) return "write the member's name, " + quoted(value.name);
    members.push_back(value.name);
  }
  return hint_for(text, members, "the members are " + first_of(members));
}

struct DefaultReader {
  const Model& model;
  const std::vector<bool>& usable;
  Diagnostics& diagnostics;

  /// `path` names the field in messages.
  std::optional<Literal> read(const YamlNode& node, const Type& type, const std::string& path) {
    return type.kind == Type::Kind::optional ? read_null(node, type, path) : read_value(node, type, path);
  }

  using FieldIndex = std::map<std::string_view, const Field*>;

  /// Reports it only once.
  bool take(std::size_t count, const YamlNode& node) {
    if (values > kMaxDefaultValues) return false;
    values += count;
    if (values <= kMaxDefaultValues) return true;
    return diagnostics.refuse(node.span, filled("more than $ values in all defaults", kMaxDefaultValues));
  }

  std::optional<Literal> read_value(const YamlNode& node, const Type& type, const std::string& path) {
    if (node.kind == YamlNode::Kind::invalid || !take(1, node)) return std::nullopt;
    if (type.kind == Type::Kind::optional) {
      if (is_null(node)) return Literal(std::monostate{});
      return read_value(node, type.args.front(), path);
    }
    if (is_null(node))
      return diagnostics.error(node.span,
                               "expected a value of type " + quoted(spelled(model, type)) + ", got null",
                               "make the type Optional, or choose a different default");
    switch (type.kind) {
      case Type::Kind::boolean:
        return read_bool(node, default_of(path), diagnostics);
      case Type::Kind::integer:
        return read_int(node, default_of(path), diagnostics);
      case Type::Kind::floating:
        return read_float(node, default_of(path), diagnostics);
      case Type::Kind::float32:
        return read_float32(node, path);
      case Type::Kind::string:
        return read_text(node, path);
      case Type::Kind::list:
        return read_list(node, type, path);
      case Type::Kind::map:
        return read_map(node, type, path);
      case Type::Kind::named:
        if (!usable[type.named]) return std::nullopt;
        return model.types[type.named].is_enum() ? read_member(node, type.named, path)
                                                 : read_fields(node, type.named, path);
      default:
        if (const IntegerType* const integer = integer_type(type.kind))
          return read_integer(node, *integer, path);
    }
    return diagnostics.error(node.span, filled("the type '$' cannot have a default", spelled(model, type)),
                             "make the type Optional, with null as the default");
  }

  std::optional<Literal> read_null(const YamlNode& node, const Type& type, const std::string& path) {
    if (is_null(node)) return Literal(std::monostate{});
    return diagnostics.error(node.span,
                             default_of(path) + " must be null, not " + describe(node) +
                                 ", because its type is " + quoted(spelled(model, type)),
                             "write null, or remove Optional from the type");
  }

  std::optional<Literal> read_integer(const YamlNode& node, const IntegerType& type,
                                      const std::string& path) {
    if (!check_integer(node, default_of(path), diagnostics)) return std::nullopt;
    const auto parsed = [&](auto& value) {
      const char* const end = node.text.data() + node.text.size();
      return std::from_chars(node.text.data(), end, value).ec == std::errc{};
    };
    std::int64_t value = 0;
    std::uint64_t large = 0;
    if (parsed(value)) {
      if (value >= type.min && (value < 0 || static_cast<std::uint64_t>(value) <= type.max))
        return Literal(value);
    } else if (parsed(large) && large <= type.max) {
      return Literal(large);
    }
    return diagnostics.error(node.span, default_of(path) + " does not fit in " + spelled_with_range(type) +
                                            ": " + quoted(node.text));
  }

  std::optional<Literal> read_float32(const YamlNode& node, const std::string& path) {
    const std::optional<double> number = read_float(node, default_of(path), diagnostics);
    if (!number) return std::nullopt;
    if (!std::isfinite(*number)) return Literal(static_cast<float>(*number));
    if (const auto nearest = schemagen::nearest_float(node.text, *number)) return Literal(*nearest);
    return diagnostics.error(node.span,
                             default_of(path) + " is too large for a float32: " + quoted(node.text));
  }

  std::optional<std::string> read_text(const YamlNode& node, const std::string& path) {
    if (!node.text.empty() && is_ambiguous_as_string(node))
      return diagnostics.error(node.span, default_of(path) + " must be a string, not " + describe(node),
                               "write \"" + node.text + "\" if you mean the string");
    return read_string(node, default_of(path), diagnostics);
  }

  std::optional<Literal> read_list(const YamlNode& node, const Type& type, const std::string& path) {
    if (node.kind != YamlNode::Kind::sequence)
      return diagnostics.error(node.span, default_of(path) + " must be a list, not " + describe(node));
    ListLiteral list;
    for (const YamlNode& item : node.items) {
      auto value = read_value(item, type.args.front(), path + "[" + std::to_string(list.items.size()) + "]");
      list.items.push_back(std::move(value).value_or(std::monostate{}));
    }
    return Literal(std::move(list));
  }

  std::optional<Literal> read_map(const YamlNode& node, const Type& type, const std::string& path) {
    if (node.kind != YamlNode::Kind::map)
      return diagnostics.error(node.span, default_of(path) + " must be a map, not " + describe(node));
    MapLiteral map;
    for (const YamlEntry& entry : node.entries) {
      const Type* const key_type = key_of(type);
      auto key = key_type == nullptr ? std::optional<Literal>(read_text(entry.key, path))
                                     : read_value(entry.key, *key_type, path);
      auto value = read_value(entry.value, type.args.front(), path + "[" + json_string(entry.key.text) + "]");
      if (key && value) map.entries.push_back({*std::move(key), *std::move(value)});
    }
    return Literal(std::move(map));
  }

  std::optional<Literal> read_member(const YamlNode& node, std::size_t type, const std::string& path) {
    const Definition& definition = model.types[type];
    if (node.kind != YamlNode::Kind::scalar || (node.text.empty() && !node.quoted))
      return diagnostics.error(node.span, default_of(path) + " must be a member of " +
                                              quoted(definition.name) + ", not " + describe(node));
    if (definition.values.empty()) return std::nullopt;
    auto& members = enum_members[type];
    if (members.empty()) {
      for (const Field& value : definition.values) members.emplace(value.name, value.id);
    }
    const auto member = members.find(node.text);
    if (member != members.end()) return Literal(EnumMember{node.text, member->second, type});
    return diagnostics.error(node.span, quoted(node.text) + " is not a member of " + quoted(definition.name),
                             nearest_member(definition, node.text));
  }

  std::optional<Literal> read_fields(const YamlNode& node, std::size_t type, const std::string& path) {
    const Definition& definition = model.types[type];
    const bool is_union = definition.is_union();
    const std::string name = quoted(definition.name);
    if (definition.fields.empty() && is_union) return std::nullopt;
    if (node.kind != YamlNode::Kind::map || (is_union && node.entries.size() != 1)) {
      const std::string found =
          node.kind == YamlNode::Kind::map ? std::to_string(node.entries.size()) : describe(node);
      return diagnostics.error(node.span,
                               default_of(path) + " must be a map " +
                                   (is_union ? "with exactly one member of " : "of the fields of ") + name +
                                   ", not " + found,
                               is_union ? "write {" + definition.fields.front().name + ": VALUE}" : "");
    }
    if (!take(definition.fields.size(), node)) return std::nullopt;
    FieldIndex fields;
    for (const Field& field : definition.fields) fields.emplace(field.name, &field);
    bool is_good = is_union || check_missing(node, definition, fields, path);
    FieldsLiteral result;
    result.type = type;
    for (const YamlEntry& entry : node.entries) {
      const auto found = fields.find(entry.key.text);
      if (found == fields.end()) {
        const Names names = names_of(definition.fields);
        const std::string others =
            names.empty() ? "write {}"
                          : (is_union ? "the members are " : "the fields are ") + first_of(names);
        diagnostics.error(entry.key.span,
                          name + (is_union ? " has no member " : " has no field ") + quoted(entry.key.text),
                          hint_for(entry.key.text, names, others));
        is_good = false;
        continue;
      }
      const Field* const field = found->second;
      // The field's type is invalid, which was reported.
      const bool is_unknown = field->type.kind == Type::Kind::unit && diagnostics.has_errors();
      auto value = is_unknown ? std::nullopt : read_value(entry.value, field->type, path + "." + field->name);
      is_good = is_good && value.has_value();
      if (value) result.values.push_back({field->name, field->id, *std::move(value)});
    }
    if (!is_good) return std::nullopt;
    return Literal(std::move(result));
  }

  /// Unless a similar name was reported as a misspelling.
  bool check_missing(const YamlNode& node, const Definition& type, const FieldIndex& fields,
                     const std::string& path) {
    const Names names = names_of(type.fields);
    std::vector<std::string_view> given;
    for (const YamlEntry& entry : node.entries) {
      const std::string_view key = entry.key.text;
      given.push_back(fields.count(key) > 0 ? key : nearest_name(key, names));
    }
    std::sort(given.begin(), given.end());
    Names missing;
    for (const Field& field : type.fields) {
      const bool is_given = field.fallback || std::binary_search(given.begin(), given.end(), field.name);
      if (!is_given) missing.push_back(field.name);
    }
    if (missing.empty()) return true;
    return diagnostics.refuse(node.span,
                              default_of(path) + " must set the fields of " + quoted(type.name) +
                                  " that have no default: " + first_of(missing),
                              "write {" + std::string(missing.front()) + ": VALUE}");
  }

  std::map<std::size_t, std::map<std::string_view, std::int32_t>> enum_members{};
  std::size_t values = 0;
};

struct DefaultCompleter {
  Model& model;
  Diagnostics& diagnostics;
  std::size_t values = 0;

  void run() {
    // Types of fields come first, so their defaults are complete.
    const std::vector<std::vector<std::size_t>> groups = recursive_groups(model);
    std::vector<std::size_t> group_of(model.types.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
      for (const std::size_t type : groups[group]) group_of[type] = group;
    }
    for (const std::vector<std::size_t>& group : groups) {
      for_each_default(group, [&](const Definition& owner, const Field& field) {
        const auto held = named_in(field.type);
        if (held && group_of[*held] == group_of[group.front()]) report_recursion(owner, field);
      });
    }
    for (const std::vector<std::size_t>& group : groups) {
      for_each_default(group, [&](const Definition& owner, Field& field) {
        if (!diagnostics.has_errors()) complete(owner, field);
      });
    }
  }

  template <typename Use>
  void for_each_default(const std::vector<std::size_t>& types, const Use& use) {
    for (const std::size_t type : types) {
      for (Field& field : model.types[type].fields) {
        if (field.fallback && is_composed(*field.fallback)) use(model.types[type], field);
      }
    }
  }

  void report_recursion(const Definition& owner, const Field& field) {
    const std::string& held = model.types[*named_in(field.type)].name;
    const bool is_list = field.type.kind == Type::Kind::list;
    const bool is_map = field.type.kind == Type::Kind::map;
    diagnostics.error(field.default_span,
                      filled("the default of '$' cannot contain values of '$', because '$' can contain '$'",
                             owner.name + "." + field.name, held, held, owner.name),
                      is_list  ? "write [], or remove the default"
                      : is_map ? "write {}, or remove the default"
                               : "make the type Optional, with null as the default");
  }

  void complete(const Definition& owner, Field& field) {
    const std::size_t depth = complete(*field.fallback);
    const std::string path = quoted(owner.name + "." + field.name);
    if (values > kMaxDefaultValues) {
      diagnostics.error(field.default_span,
                        filled("default of $: more than $ values in all defaults", path, kMaxDefaultValues));
    } else if (depth > schemagen::kMostDefaultLevels) {
      diagnostics.error(field.default_span,
                        filled("default of $: more than $ levels deep", path, schemagen::kMostDefaultLevels));
    }
  }

  std::size_t complete(Literal& literal) {
    ++values;
    std::size_t depth = 0;
    const auto inside = [&](Literal& value) {
      if (values <= kMaxDefaultValues) depth = std::max(depth, complete(value));
    };
    if (auto* const list = std::get_if<ListLiteral>(&literal)) {
      for (Literal& item : list->items) inside(item);
    } else if (auto* const map = std::get_if<MapLiteral>(&literal)) {
      for (MapLiteral::Entry& entry : map->entries) inside(entry.value);
    } else if (auto* const fields = std::get_if<FieldsLiteral>(&literal)) {
      add_left_out(*fields);
      for (FieldsLiteral::Value& one : fields->values) inside(one.value);
    } else {
      return 0;
    }
    return depth + 1;
  }

  void add_left_out(FieldsLiteral& literal) {
    const Definition& type = model.types[literal.type];
    if (type.is_union()) return;
    std::map<std::int32_t, Literal> given;
    for (FieldsLiteral::Value& one : literal.values) given.emplace(one.id, std::move(one.value));
    literal.values.clear();
    for (const Field& field : type.fields) {
      const auto found = given.find(field.id);
      literal.values.push_back(
          {field.name, field.id, found == given.end() ? *field.fallback : found->second});
    }
  }
};

}  // namespace

void read_defaults(const std::vector<UnreadDefault>& defaults, const std::vector<bool>& usable, Model& model,
                   Diagnostics& diagnostics) {
  DefaultReader reader{model, usable, diagnostics};
  for (const auto& [type, field, value] : defaults) {
    Definition& owner = model.types[type];
    Field& read = owner.fields[field];
    if (value->kind == YamlNode::Kind::invalid) continue;
    if (auto literal = reader.read(*value, read.type, owner.name + "." + read.name))
      read.fallback = std::move(literal);
  }
}

void complete_defaults(Model& model, Diagnostics& diagnostics) {
  DefaultCompleter{model, diagnostics}.run();
}

}  // namespace generator
