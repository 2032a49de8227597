#include "free_edit.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace schemagen_test {
namespace {

using generator::Definition;
using generator::DefinitionKind;
using generator::EnumMember;
using generator::Field;
using generator::ListLiteral;
using generator::Literal;
using generator::MapLiteral;
using generator::Model;
using generator::Type;
using Kind = Type::Kind;

constexpr Kind kNumbers[] = {Kind::integer, Kind::floating, Kind::int8,   Kind::int16,  Kind::int32,
                             Kind::uint8,   Kind::uint16,   Kind::uint32, Kind::uint64, Kind::float32};
constexpr Kind kOthers[] = {Kind::boolean, Kind::string, Kind::bytes, Kind::unit, Kind::any};

Type of(Kind kind) {
  return {kind, {}, 0};
}
Type holding(Kind kind, Type element) {
  return {kind, {std::move(element)}, 0};
}

class FreeEditor {
 public:
  FreeEditor(Model& model, Random& random) : model_(model), random_(random) {}

  bool retype() {
    Field* const field = any_field();
    if (field == nullptr) return false;
    change_type(*field, random_type(0));
    return true;
  }
  bool retype_to_related() {
    Field* const field = any_field();
    if (field == nullptr) return false;
    change_type(*field, related(bare(field->type), 0));
    return true;
  }
  bool make_list() {
    Field* const field = any_field();
    if (field == nullptr) return false;
    field->type = holding(Kind::list, bare(field->type));
    field->fallback.reset();
    return true;
  }
  bool toggle_optional() {
    Field* const field = any_struct_field();
    if (field == nullptr) return false;
    const bool was_optional = field->type.kind == Kind::optional;
    field->type = was_optional ? bare(field->type) : holding(Kind::optional, field->type);
    field->fallback = was_optional && random_.chance(50) ? default_of(field->type) : std::nullopt;
    if (!was_optional && random_.chance(80)) field->fallback = Literal(std::monostate{});
    return true;
  }
  bool change_default() {
    Field* const field = any_struct_field();
    if (field == nullptr || field->type.kind == Kind::optional) return false;
    field->fallback = random_.chance(30) ? std::nullopt : default_of(field->type);
    return true;
  }
  bool toggle_null_default() {
    Field* const field = any_struct_field();
    if (field == nullptr || field->type.kind != Kind::optional) return false;
    field->fallback = field->fallback ? std::nullopt : std::optional(Literal(std::monostate{}));
    return true;
  }
  bool change_id() {
    Field* const field = any_field();
    if (field != nullptr) field->id = free_id();
    return field != nullptr;
  }
  bool exchange_ids() {
    Field* const field = any_field();
    if (field != nullptr) std::swap(field->id, another().id);
    return field != nullptr;
  }
  bool rename_field() {
    Field* const field = any_field();
    if (field != nullptr) field->name = new_name();
    return field != nullptr;
  }
  bool exchange_names() {
    Field* const field = any_field();
    if (field != nullptr) std::swap(field->name, another().name);
    return field != nullptr;
  }
  bool remove_field() {
    Field* const field = any_field();
    if (field == nullptr) return false;
    fields().erase(fields().begin() + (field - fields().data()));
    return true;
  }
  bool add_field() {
    if (!take_type(false)) return false;
    Field field = random_field(free_id());
    fields().insert(fields().begin() + static_cast<std::ptrdiff_t>(random_.below(fields().size() + 1)),
                    std::move(field));
    return true;
  }
  bool replace_field() {
    Field* const field = any_field();
    if (field != nullptr) *field = random_field(field->id);
    return field != nullptr;
  }
  bool reorder() {
    Field* const field = any_field();
    if (field != nullptr) std::swap(*field, another());
    return field != nullptr;
  }
  bool hold_itself() {
    if (!take_type(true)) return false;
    Field field;
    field.name = new_name();
    field.id = free_id();
    field.type = holding(Kind::optional, {Kind::named, {}, owner_});
    field.fallback = Literal(std::monostate{});
    field.boxed = true;
    fields().push_back(std::move(field));
    return true;
  }
  bool move_into_union() {
    Field* const field = any_struct_field();
    if (field == nullptr || field->fallback || field->type.kind == Kind::optional) return false;
    Definition type;
    type.name = "New" + std::to_string(model_.types.size());
    Field member = *field;
    member.boxed = false;
    if (random_.chance(50)) member.name.insert(0, "as_");
    type.kind = DefinitionKind::union_;
    type.fields.push_back(std::move(member));
    const std::int32_t id = free_id();
    *field = {};
    field->name = new_name();
    field->id = id;
    field->type = {Kind::named, {}, model_.types.size()};
    model_.types.push_back(std::move(type));
    return true;
  }

  bool change_enum() {
    std::vector<std::size_t> enums;
    for (std::size_t i = 0; i < model_.types.size(); ++i) {
      if (model_.types[i].is_enum()) enums.push_back(i);
    }
    if (enums.empty()) return false;
    Definition& body = model_.types[enums[random_.below(enums.size())]];
    std::vector<Field>& values = body.values;
    Field& one = values[random_.below(values.size())];
    Field& other = values[random_.below(values.size())];
    switch (random_.below(7)) {
      case 0:
        values.push_back({"N" + new_name(), free_number(body), {}});
        break;
      case 1:
        if (values.size() == 1) return false;
        values.erase(values.begin() + (&one - values.data()));
        break;
      case 2:
        one.name = "N" + new_name();
        break;
      case 3:
        one.id = free_number(body);
        break;
      case 4:
        std::swap(one.id, other.id);
        break;
      case 5:
        one = {"N" + new_name(), one.id, {}};
        values.push_back({"N" + new_name() + "B", free_number(body), {}});
        break;
      default:
        body.is_named_in_json = !body.is_named_in_json;
        break;
    }
    return true;
  }

  bool change_kind() {
    owner_ = random_.below(model_.types.size());
    Definition& type = model_.types[owner_];
    if (random_.chance(20)) {
      type.kind = DefinitionKind::enumeration;
      type.fields.clear();
      type.values = {{"KA", 0, {}}, {"KB", 1, {}}};
      type.is_named_in_json = random_.chance(50);
    } else if (type.is_struct()) {
      type.kind = DefinitionKind::union_;
      for (Field& member : type.fields) {
        member.fallback.reset();
        member.type = bare(member.type);
      }
    } else {
      type.kind = DefinitionKind::structure;
      type.values.clear();
      type.is_named_in_json = false;
    }
    return true;
  }
  bool rename_type() {
    model_.types[random_.below(model_.types.size())].name = "Type" + new_name();
    return true;
  }
  bool refer_to_copy() {
    Field* const field = any_field();
    if (field == nullptr || !named_in(field->type)) return false;
    Type* inner = &field->type;
    while (!inner->args.empty()) inner = &inner->args.front();
    if (inner->kind != Kind::named) return false;
    Definition copy = model_.types[inner->named];
    copy.name += "Copy";
    inner->named = model_.types.size();
    model_.types.push_back(std::move(copy));
    return true;
  }
  bool refer_to_another() {
    Field* const field = any_field();
    if (field == nullptr || !named_in(field->type)) return false;
    Type* inner = &field->type;
    while (!inner->args.empty()) inner = &inner->args.front();
    if (inner->kind != Kind::named) return false;
    inner->named = random_.below(model_.types.size());
    return true;
  }
  bool remove_type() {
    const std::size_t index = random_.below(model_.types.size());
    for (const Definition& type : model_.types) {
      for (const Field& field : type.fields) {
        for (const std::size_t held : all_named_in(field.type)) {
          if (held == index) return false;
        }
      }
    }
    if (index + 1 != model_.types.size() || model_.roots != std::vector<std::size_t>{index}) return false;
    model_.types.pop_back();
    model_.roots.clear();
    return true;
  }

  bool change_schema() {
    switch (random_.below(5)) {
      case 0:
        model_.name = "renamed";
        return true;
      case 1:
        model_.roots = {random_.below(model_.types.size())};
        return true;
      case 2:
        model_.roots.push_back(random_.below(model_.types.size()));
        return true;
      case 3:
        model_.constants.push_back({"C" + std::to_string(random_.below(3)), 7, {}});
        return true;
      default:
        if (model_.constants.empty()) return false;
        if (random_.chance(50)) {
          model_.constants.pop_back();
        } else {
          ++model_.constants.back().value;
        }
        return true;
    }
  }
  bool change_words() {
    Field* const field = any_field();
    if (field == nullptr) return false;
    switch (random_.below(4)) {
      case 0:
        field->doc = "Other words.";
        break;
      case 1:
        field->deprecated = "use another one";
        break;
      case 2:
        field->cpp_name = "cpp_" + new_name();
        break;
      default:
        field->boxed = !field->boxed;
        break;
    }
    return true;
  }

 private:
  std::vector<Field>& fields() { return model_.types[owner_].fields; }

  bool take_type(bool only_struct) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < model_.types.size(); ++i) {
      if (model_.types[i].is_struct() || (!only_struct && model_.types[i].is_union())) found.push_back(i);
    }
    if (found.empty()) return false;
    owner_ = found[random_.below(found.size())];
    return true;
  }
  Field* any_field() { return take_type(false) && !fields().empty() ? &another() : nullptr; }
  Field* any_struct_field() { return take_type(true) && !fields().empty() ? &another() : nullptr; }
  Field& another() { return fields()[random_.below(fields().size())]; }

  std::string new_name() { return "n" + std::to_string(random_.below(100000)); }

  std::int32_t free_id() {
    std::int32_t id = 0;
    for (const Field& field : fields()) id = std::max(id, field.id);
    return id + 10;
  }
  static std::int32_t free_number(const Definition& type) {
    std::int32_t number = 0;
    for (const Field& value : type.values) number = std::max(number, value.id);
    return number + 100;
  }

  static Type bare(const Type& type) { return type.kind == Kind::optional ? Type(type.args.front()) : type; }

  void change_type(Field& field, Type type) {
    const bool was_optional = field.type.kind == Kind::optional;
    const bool had_default = field.fallback.has_value();
    field.boxed = false;
    field.type = std::move(type);
    field.fallback = had_default && random_.chance(70) ? default_of(field.type) : std::nullopt;
    if (!was_optional) return;
    field.type = holding(Kind::optional, std::move(field.type));
    if (had_default) field.fallback = Literal(std::monostate{});
  }

  Field random_field(std::int32_t id) {
    Field field;
    field.name = new_name();
    field.id = id;
    field.type = random_type(0);
    if (model_.types[owner_].is_union()) return field;
    if (random_.chance(30)) {
      field.type = holding(Kind::optional, std::move(field.type));
      field.fallback = Literal(std::monostate{});
    } else if (random_.chance(50)) {
      field.fallback = default_of(field.type);
    }
    return field;
  }

  Type random_type(int depth) {
    switch (random_.below(depth < 2 ? 5 : 3)) {
      case 0:
        return of(kNumbers[random_.below(std::size(kNumbers))]);
      case 1:
        return of(kOthers[random_.below(std::size(kOthers))]);
      case 2:
        return {Kind::named, {}, random_.below(model_.types.size())};
      case 3:
        return holding(Kind::list, random_type(depth + 1));
      default:
        return with_key(holding(Kind::map, random_type(depth + 1)));
    }
  }

  Type with_key(Type map) {
    map.args.resize(1);
    const std::size_t index = random_.below(model_.types.size());
    const Kind kind = kNumbers[random_.below(std::size(kNumbers))];
    if (random_.chance(40) && model_.types[index].is_enum()) {
      map.args.push_back({Kind::named, {}, index});
    } else if (random_.chance(60) && generator::integer_type(kind) != nullptr) {
      map.args.push_back(of(kind));
    }
    return map;
  }

  Type related(const Type& type, int depth) {
    const std::size_t index = random_.below(model_.types.size());
    switch (type.kind) {
      case Kind::list:
        return random_.chance(80) ? holding(Kind::list, related(type.args.front(), depth + 1))
                                  : type.args.front();
      case Kind::map: {
        if (random_.chance(50)) return with_key(type);
        Type map = type;
        map.args.front() = related(type.args.front(), depth + 1);
        return map;
      }
      case Kind::named:
        if (random_.chance(50)) return {Kind::named, {}, index};
        return of(random_.chance(70) ? kNumbers[random_.below(std::size(kNumbers))]
                                     : kOthers[random_.below(std::size(kOthers))]);
      case Kind::boolean:
      case Kind::string:
      case Kind::bytes:
      case Kind::unit:
      case Kind::any:
        if (random_.chance(40)) return {Kind::named, {}, index};
        return random_.chance(70) ? of(kOthers[random_.below(std::size(kOthers))]) : random_type(depth + 1);
      default:
        if (random_.chance(25)) return {Kind::named, {}, index};
        return of(random_.chance(85) ? kNumbers[random_.below(std::size(kNumbers))]
                                     : kOthers[random_.below(std::size(kOthers))]);
    }
  }

  std::optional<Literal> default_of(const Type& type) {
    switch (type.kind) {
      case Kind::boolean:
        return Literal(random_.chance(50));
      case Kind::floating:
        return Literal(random_.chance(50) ? 0.5 : std::numeric_limits<double>::quiet_NaN());
      case Kind::float32:
        return Literal(random_.chance(50) ? 0.1F : std::numeric_limits<float>::infinity());
      case Kind::string:
        return Literal(std::string(random_.chance(50) ? "" : "abcd"));
      case Kind::list:
        return Literal(ListLiteral{});
      case Kind::map:
        return Literal(MapLiteral{});
      case Kind::named:
        if (model_.is_enum(type)) {
          const std::vector<Field>& values = model_.types[type.named].values;
          const Field& value = values[random_.below(values.size())];
          return Literal(EnumMember{value.name, value.id, type.named});
        }
        return std::nullopt;
      case Kind::bytes:
      case Kind::unit:
      case Kind::any:
      case Kind::optional:
        return std::nullopt;
      default:
        return Literal(static_cast<std::int64_t>(random_.below(3)));
    }
  }

  Model& model_;
  Random& random_;
  std::size_t owner_ = 0;
};

struct NamedFreeEdit {
  const char* name;
  bool (FreeEditor::*apply)();
  unsigned weight;
};

constexpr NamedFreeEdit kFreeEdits[] = {
    {"change a type", &FreeEditor::retype, 8},
    {"change a type to a related one", &FreeEditor::retype_to_related, 25},
    {"make a list of it", &FreeEditor::make_list, 2},
    {"make Optional or not", &FreeEditor::toggle_optional, 8},
    {"change a default", &FreeEditor::change_default, 8},
    {"let null be the default, or not", &FreeEditor::toggle_null_default, 4},
    {"change an id", &FreeEditor::change_id, 4},
    {"exchange ids", &FreeEditor::exchange_ids, 4},
    {"rename a field", &FreeEditor::rename_field, 4},
    {"exchange names", &FreeEditor::exchange_names, 4},
    {"remove a field", &FreeEditor::remove_field, 4},
    {"add a field", &FreeEditor::add_field, 4},
    {"replace a field", &FreeEditor::replace_field, 4},
    {"change the order", &FreeEditor::reorder, 2},
    {"let a type hold itself", &FreeEditor::hold_itself, 2},
    {"move a field into a union", &FreeEditor::move_into_union, 3},
    {"change an enum", &FreeEditor::change_enum, 12},
    {"change a kind", &FreeEditor::change_kind, 4},
    {"rename a type", &FreeEditor::rename_type, 3},
    {"refer to a copy", &FreeEditor::refer_to_copy, 5},
    {"refer to another type", &FreeEditor::refer_to_another, 4},
    {"remove a type", &FreeEditor::remove_type, 1},
    {"change the schema", &FreeEditor::change_schema, 5},
    {"change words", &FreeEditor::change_words, 2},
};

const NamedFreeEdit& any_edit(Random& random) {
  unsigned total = 0;
  for (const NamedFreeEdit& edit : kFreeEdits) total += edit.weight;
  std::size_t left = random.below(total);
  const NamedFreeEdit* edit = kFreeEdits;
  for (; left >= edit->weight; ++edit) left -= edit->weight;
  return *edit;
}

}  // namespace

FreelyEdited edited_freely(const Model& before, Random& random) {
  FreelyEdited result = {before, ""};
  FreeEditor editor(result.model, random);
  for (std::size_t left = random.chance(70) ? 1 : 2 + random.below(3); left > 0;) {
    const NamedFreeEdit& edit = any_edit(random);
    if (!(editor.*edit.apply)()) continue;
    result.edits += (result.edits.empty() ? "" : ", ") + std::string(edit.name);
    --left;
  }
  return result;
}

}  // namespace schemagen_test
