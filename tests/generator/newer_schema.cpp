#include "newer_schema.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "front/resolve_steps.h"

namespace schemagen_test {
namespace {

using generator::Definition;
using generator::DefinitionKind;
using generator::EnumMember;
using generator::Field;
using generator::FieldsLiteral;
using generator::ListLiteral;
using generator::Literal;
using generator::MapLiteral;
using generator::Model;
using generator::Type;
using Kind = Type::Kind;

struct NewTypes {
  Type of_enum;
  Type of_union;
  Type of_struct;
};

Type of(Kind kind) {
  return {kind, {}, 0};
}
Type holding(Kind kind, Type element) {
  return {kind, {std::move(element)}, 0};
}

Field field(std::string name, std::int32_t id, Type type, std::optional<Literal> fallback = {}) {
  Field result;
  result.name = std::move(name);
  result.id = id;
  result.type = std::move(type);
  result.fallback = std::move(fallback);
  return result;
}

NewTypes add_types(Model& model) {
  const auto add = [&](std::string name, DefinitionKind kind, std::vector<Field> fields) {
    Definition type;
    type.name = std::move(name);
    type.kind = kind;
    type.fields = std::move(fields);
    if (type.is_enum()) type.values = {{"NEW_A", 0, {}}, {"NEW_B", 7, {}}};
    model.types.push_back(std::move(type));
    return Type{Kind::named, {}, model.types.size() - 1};
  };
  NewTypes types;
  types.of_enum = add("NewEnum", DefinitionKind::enumeration, {});
  types.of_union = add("NewUnion", DefinitionKind::union_,
                       {field("as_text", 20, of(Kind::string)), field("as_enum", 3, types.of_enum)});
  types.of_struct = add("NewStruct", DefinitionKind::structure,
                        {field("x", 100, of(Kind::floating)), field("y", 1, of(Kind::boolean)),
                         field("z", 50, holding(Kind::list, types.of_union))});
  return types;
}

std::vector<Field> new_fields(const NewTypes& types) {
  const Literal null = std::monostate{};
  std::vector<std::pair<Type, Literal>> kinds = {
      {of(Kind::boolean), true},
      {of(Kind::boolean), false},
      {of(Kind::integer), std::int64_t{7}},
      {of(Kind::floating), 1.5},
      {of(Kind::uint8), std::int64_t{255}},
      {of(Kind::uint64), UINT64_MAX},
      {of(Kind::float32), 0.1F},
      {holding(Kind::list, of(Kind::uint8)), ListLiteral{}},
      {of(Kind::string), std::string("new")},
      {types.of_enum, EnumMember{"NEW_B", 7, types.of_enum.named}},
      {holding(Kind::list, of(Kind::boolean)), ListLiteral{}},
      {holding(Kind::list, of(Kind::integer)), ListLiteral{{std::int64_t{1}, std::int64_t{2}}}},
      {holding(Kind::map, of(Kind::string)), MapLiteral{{{std::string("k"), std::string("v")}}}},
      {types.of_struct,
       FieldsLiteral{types.of_struct.named, {{"x", 100, 0.5}, {"y", 1, true}, {"z", 50, ListLiteral{}}}}},
      {types.of_union,
       FieldsLiteral{types.of_union.named, {{"as_enum", 3, EnumMember{"NEW_A", 0, types.of_enum.named}}}}},
      {holding(Kind::list, types.of_struct), ListLiteral{}},
      {holding(Kind::list, holding(Kind::map, of(Kind::floating))), ListLiteral{}},
      {holding(Kind::map, types.of_union), MapLiteral{}},
      {holding(Kind::map, holding(Kind::list, of(Kind::string))), MapLiteral{}}};
  for (const Type& type :
       {of(Kind::bytes), of(Kind::unit), of(Kind::any), of(Kind::integer), types.of_union, types.of_struct}) {
    kinds.push_back({holding(Kind::optional, type), null});
  }
  std::vector<Field> fields;
  for (auto& [type, fallback] : kinds) {
    fields.push_back(field("new_" + std::to_string(fields.size()), 0, std::move(type), std::move(fallback)));
  }
  return fields;
}

std::int32_t free_id(const Definition& type, Random& random) {
  std::int32_t last = 0;
  for (const Field& one : type.fields) last = std::max(last, one.id);
  const auto is_taken = [&](std::int32_t id) {
    const auto& reserved = type.reserved.ids;
    return std::find(reserved.begin(), reserved.end(), id) != reserved.end() ||
           std::any_of(type.fields.begin(), type.fields.end(),
                       [&](const Field& one) { return one.id == id; });
  };
  const std::size_t range = static_cast<std::size_t>(std::min(last, 32000)) + 40;
  while (true) {
    const auto id = static_cast<std::int32_t>(1 + random.below(range));
    if (!is_taken(id)) return id;
  }
}

void add(Definition& type, std::vector<Field>& fields, Field one, Random& random) {
  one.id = free_id(type, random);
  const auto at = static_cast<std::ptrdiff_t>(random.below(fields.size() + 1));
  fields.insert(fields.begin() + at, std::move(one));
}

void extend(Definition& type, const NewTypes& types, Random& random) {
  if (type.is_struct()) {
    for (Field& one : new_fields(types)) add(type, type.fields, std::move(one), random);
  } else if (type.is_union()) {
    add(type, type.fields, field("new_struct", 0, types.of_struct), random);
    add(type, type.fields, field("new_flag", 0, of(Kind::boolean)), random);
  } else if (!type.is_named_in_json) {  // unknown to a JSON reader
    auto& values = type.values;
    std::int32_t last = 0;
    for (const auto& value : values) last = std::max(last, value.id);
    values.push_back({"NEW_VALUE", last + 1000, {}});
  }
}

}  // namespace

Model newer_schema(const Model& before, Random& random) {
  Model newer = before;
  const NewTypes types = add_types(newer);
  for (std::size_t i = 0; i < before.types.size(); ++i) extend(newer.types[i], types, random);
  for (Definition& type : newer.types) type.doc.clear();
  ++newer.version.minor_;
  generator::Diagnostics diagnostics("newer.yaml", "");
  complete_defaults(newer, diagnostics);
  return newer;
}

}  // namespace schemagen_test
