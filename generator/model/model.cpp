#include "model/model.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "text/float_literal.h"
#include "text/json_text.h"
#include "text/message.h"

namespace generator {
const IntegerType* integer_type(Type::Kind kind) {
  for (const IntegerType& type : kIntegerTypes) {
    if (type.kind == kind) return &type;
  }
  return nullptr;
}

int bits_in_binary(const IntegerType& type) {
  return type.max <= INT8_MAX ? 8 : type.max <= INT16_MAX ? 16 : type.max <= INT32_MAX ? 32 : 64;
}

std::string spelled_with_range(const IntegerType& type) {
  return std::string(type.name) + " (" + std::to_string(type.min) + " to " + std::to_string(type.max) + ")";
}

std::optional<std::size_t> Model::find(std::string_view type_name) const {
  const Definition* const found = find_named(types, type_name);
  return found == nullptr ? std::nullopt : std::optional(static_cast<std::size_t>(found - types.data()));
}

bool Model::is_root(const Definition& type) const {
  return std::any_of(roots.begin(), roots.end(), [&](std::size_t root) { return &types[root] == &type; });
}

std::vector<const Definition*> Model::types_by_name() const {
  std::vector<const Definition*> sorted;
  for (const Definition& type : types) sorted.push_back(&type);
  std::sort(sorted.begin(), sorted.end(),
            [](const Definition* a, const Definition* b) { return a->name < b->name; });
  return sorted;
}

std::string_view TypeWords::of(Type::Kind kind) const {
  using Self = TypeWords;
  // In the order of Type::Kind.
  constexpr std::string_view Self::*kWords[] = {
      &Self::boolean, &Self::integer, &Self::floating, &Self::integer, &Self::integer,  &Self::integer,
      &Self::integer, &Self::integer, &Self::integer,  &Self::integer, &Self::floating, &Self::string,
      &Self::bytes,   &Self::unit,    &Self::any,      &Self::list,    &Self::map,      &Self::optional};
  static_assert(std::size(kWords) == static_cast<std::size_t>(Type::Kind::named));
  return kind == Type::Kind::named ? std::string_view() : this->*kWords[static_cast<std::size_t>(kind)];
}

std::string spelled(const Type& type, const TypeWords& words,
                    const std::function<std::string(const Type&)>& spell) {
  std::string out;
  for (const char c : words.of(type.kind)) {
    if (c == '$') {
      out += spell(type.args.front());
    } else if (c == '#') {
      out += spell(key_of(type) == nullptr ? Type{Type::Kind::string, {}} : *key_of(type));
    } else {
      out += c;
    }
  }
  return out;
}

std::string spelled(const Model& model, const Type& type) {
  constexpr TypeWords kWords = {"bool",      "int", "float",   "str",        "bytes",
                                "Tuple[()]", "Any", "List[$]", "Dict[#, $]", "Optional[$]"};
  if (type.kind == Type::Kind::named) return model.types[type.named].name;
  if (type.kind == Type::Kind::float32) return "float32";
  if (const IntegerType* const integer = integer_type(type.kind)) return std::string(integer->name);
  return spelled(type, kWords, [&](const Type& part) { return spelled(model, part); });
}

std::string spelled(const Literal& literal) {
  struct Spell {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(std::uint64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return yaml_float(value); }
    std::string operator()(float value) const { return yaml_float(value); }
    std::string operator()(const std::string& value) const { return json_string(value); }
    std::string operator()(const ListLiteral& list) const {
      return "[" + joined(list.items, ", ", [&](const Literal& item) { return spelled(item); }) + "]";
    }
    std::string operator()(const MapLiteral& map) const {
      const auto entry = [](const auto& one) { return spelled(one.key) + ": " + spelled(one.value); };
      return "{" + joined(map.entries, ", ", entry) + "}";
    }
    std::string operator()(const FieldsLiteral& fields) const {
      const auto value = [](const auto& one) { return one.name + ": " + spelled(one.value); };
      return "{" + joined(fields.values, ", ", value) + "}";
    }
    std::string operator()(const EnumMember& member) const { return member.name; }
  };
  return std::visit(Spell{}, literal);
}

std::string json_text(const Model& model, const Literal& literal, bool names_members) {
  const auto text = [&](const Literal& part) { return json_text(model, part, names_members); };
  if (const auto* list = std::get_if<ListLiteral>(&literal))
    return "[" + joined(list->items, ", ", text) + "]";
  const auto entry = [&](const MapLiteral::Entry& one) {
    const std::string key = text(one.key);
    return (key.front() == '"' ? key : json_string(key)) + ": " + text(one.value);
  };
  if (const auto* map = std::get_if<MapLiteral>(&literal))
    return "{" + joined(map->entries, ", ", entry) + "}";
  const auto value = [&](const FieldsLiteral::Value& one) {
    return json_string(one.name) + ": " + text(one.value);
  };
  if (const auto* fields = std::get_if<FieldsLiteral>(&literal))
    return "{" + joined(fields->values, ", ", value) + "}";
  const auto json_float = [](auto float_value) {
    const std::string written = float_literal(float_value, "NaN", "Infinity");
    return std::isfinite(float_value) ? written : json_string(written);
  };
  if (const auto* number = std::get_if<double>(&literal)) return json_float(*number);
  if (const auto* number = std::get_if<float>(&literal)) return json_float(*number);
  const auto* member = std::get_if<EnumMember>(&literal);
  if (member == nullptr) return spelled(literal);
  const bool has_name = names_members || model.types[member->type].is_named_in_json;
  return has_name ? json_string(member->name) : std::to_string(member->number);
}

const Field& field_of(const Definition& type, const FieldsLiteral::Value& value) {
  return *std::find_if(type.fields.begin(), type.fields.end(),
                       [&](const Field& field) { return field.id == value.id; });
}

bool is_composed(const Literal& literal) {
  const auto* list = std::get_if<ListLiteral>(&literal);
  const auto* map = std::get_if<MapLiteral>(&literal);
  return (list != nullptr && !list->items.empty()) || (map != nullptr && !map->entries.empty()) ||
         std::holds_alternative<FieldsLiteral>(literal);
}

std::string_view name_of(DefinitionKind kind) {
  return word_of(kind, {"struct", "union", "enum"});
}

const Type& without_optional(const Type& type) {
  return type.kind == Type::Kind::optional ? type.args.front() : type;
}

const Type& innermost(const Type& type) {
  return type.args.empty() ? type : innermost(type.args.front());
}

std::string description(const Field& field) {
  std::string text = field.doc;
  const auto add = [&](const std::string& sentence) { text += (text.empty() ? "" : "\n") + sentence; };
  if (!field.since.empty()) add("Since " + field.since + ".");
  if (!field.deprecated.empty()) add("Deprecated: " + field.deprecated);
  return text;
}

std::optional<std::size_t> named_in(const Type& type) {
  const Type& inner = innermost(type);
  return inner.kind == Type::Kind::named ? std::optional(inner.named) : std::nullopt;
}

const Type* key_of(const Type& map) {
  return map.args.size() > 1 ? &map.args.back() : nullptr;
}

std::vector<std::size_t> all_named_in(const Type& type) {
  std::vector<std::size_t> named;
  const Type* inner = &type;
  for (; !inner->args.empty(); inner = &inner->args.front()) {
    const Type* const key = key_of(*inner);
    if (key != nullptr && key->kind == Type::Kind::named) named.push_back(key->named);
  }
  if (inner->kind == Type::Kind::named) named.push_back(inner->named);
  return named;
}

std::string spelled(Version version) {
  return std::to_string(version.major_) + "." + std::to_string(version.minor_);
}

}  // namespace generator
