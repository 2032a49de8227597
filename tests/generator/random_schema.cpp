#include "random_schema.h"

#include <algorithm>
#include <functional>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>
#include <variant>

namespace schemagen_test {

using generator::Bump;
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

namespace {

using Kind = Type::Kind;

Type simple(Kind kind) {
  return {kind, {}, 0};
}
Type holding(Kind kind, Type element) {
  return {kind, {std::move(element)}, 0};
}
Type named(std::size_t index) {
  return {Kind::named, {}, index};
}

class Maker {
 public:
  Maker(Random& random, bool for_torch) : random_(random), for_torch_(for_torch) {}

  Model make() {
    model_.name = "random";
    model_.version = {1, 0};
    const std::size_t count = 3 + random_.below(5);
    for (std::size_t i = 0; i < count; ++i) add_type();
    add_root();
    return std::move(model_);
  }

 private:
  void add_type() {
    Definition type;
    type.name = "T" + std::to_string(model_.types.size());
    switch (random_.below(4)) {
      case 0:
        make_enum(type);
        break;
      case 1:
        type.kind = DefinitionKind::union_;
        type.fields = random_fields(1 + random_.below(3), false);
        break;
      default:
        type.fields = random_fields(random_.below(5), true);
        break;
    }
    model_.types.push_back(std::move(type));
  }

  void add_root() {
    Definition root;
    root.name = "Root";
    for (std::size_t i = 0; i < model_.types.size(); ++i) {
      Field field;
      field.name = "t" + std::to_string(i);
      field.id = static_cast<std::int32_t>(10 * (i + 1));
      switch (random_.below(4)) {
        case 0:
          field.type = named(i);
          break;
        case 1:
          field.type = holding(Kind::map, named(i));
          break;
        case 2:
          field.type = holding(Kind::optional, named(i));
          field.fallback = Literal(std::monostate{});
          break;
        default:
          field.type = holding(Kind::list, named(i));
          break;
      }
      root.fields.push_back(std::move(field));
    }
    model_.roots.push_back(model_.types.size());
    model_.types.push_back(std::move(root));
  }

  void make_enum(Definition& type) {
    type.kind = DefinitionKind::enumeration;
    const std::size_t count = 1 + random_.below(4);
    std::int32_t number = static_cast<std::int32_t>(random_.below(3)) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      type.values.push_back({"V" + std::to_string(next_name_++), number, {}});
      number += 1 + static_cast<std::int32_t>(random_.below(3));
    }
    type.is_named_in_json = random_.chance(30) && !for_torch_;
  }

  std::vector<Field> random_fields(std::size_t count, bool in_struct) {
    std::vector<Field> fields;
    std::int32_t id = 0;
    for (std::size_t i = 0; i < count; ++i) {
      id += random_.chance(80) ? 10 : 1;
      fields.push_back(random_field(id, in_struct));
    }
    if (in_struct && random_.chance(20)) fields.push_back(field_of_itself(id + 10));
    if (fields.size() > 1 && random_.chance(30)) std::swap(fields.front(), fields.back());
    return fields;
  }

  Field random_field(std::int32_t id, bool in_struct) {
    Field field;
    field.name = "f" + std::to_string(next_name_++);
    field.id = id;
    field.type = random_type(0);
    if (!in_struct) return field;
    if (random_.chance(30)) {
      field.type = holding(Kind::optional, std::move(field.type));
      if (random_.chance(80)) field.fallback = Literal(std::monostate{});
    } else if (random_.chance(50)) {
      field.fallback = default_of(field.type);
      if (field.fallback && spelled(*field.fallback).size() > 500) field.fallback.reset();
    }
    return field;
  }

  Field field_of_itself(std::int32_t id) {
    Field field;
    field.name = "f" + std::to_string(next_name_++);
    field.id = id;
    field.type = holding(Kind::optional, named(model_.types.size()));
    field.fallback = Literal(std::monostate{});
    field.boxed = true;
    return field;
  }

  Type random_type(std::size_t depth) {
    constexpr Kind kSimple[] = {Kind::boolean, Kind::integer, Kind::floating, Kind::string,
                                Kind::bytes,   Kind::unit,    Kind::any};
    constexpr Kind kNumbers[] = {Kind::int8,   Kind::int16,  Kind::int32,  Kind::uint8,
                                 Kind::uint16, Kind::uint32, Kind::uint64, Kind::float32};
    if (depth < 2 && random_.chance(20)) return holding(Kind::list, random_type(depth + 1));
    if (depth < 2 && random_.chance(15)) return random_map(depth);
    if (!model_.types.empty() && random_.chance(40)) return named(random_.below(model_.types.size()));
    if (random_.chance(30) && !for_torch_) return simple(kNumbers[random_.below(std::size(kNumbers))]);
    return simple(kSimple[random_.below(std::size(kSimple))]);
  }

  Type random_map(std::size_t depth) {
    Type map = holding(Kind::map, random_type(depth + 1));
    if (for_torch_) return map;
    const std::size_t key = random_.below(model_.types.size() + 3);
    if (key < model_.types.size() && model_.types[key].is_enum()) {
      map.args.push_back(named(key));
    } else if (random_.chance(40)) {
      constexpr Kind kIntegers[] = {Kind::integer, Kind::int8,   Kind::int16,  Kind::int32,
                                    Kind::uint8,   Kind::uint16, Kind::uint32, Kind::uint64};
      map.args.push_back(simple(kIntegers[random_.below(std::size(kIntegers))]));
    }
    return map;
  }

  std::optional<Literal> default_of(const Type& type) {
    switch (type.kind) {
      case Kind::boolean:
        return Literal(random_.chance(50));
      case Kind::integer:
        return Literal(static_cast<std::int64_t>(random_.below(100)) - 50);
      case Kind::floating:
        return Literal(random_.chance(20)   ? -std::numeric_limits<double>::infinity()
                       : random_.chance(20) ? std::numeric_limits<double>::quiet_NaN()
                                            : static_cast<double>(random_.below(100)) / 8);
      case Kind::int8:
      case Kind::int16:
      case Kind::int32:
      case Kind::uint8:
      case Kind::uint16:
      case Kind::uint32:
      case Kind::uint64:
        return random_bound(*generator::integer_type(type.kind));
      case Kind::float32:
        return Literal(random_.chance(50)   ? 0.1F
                       : random_.chance(50) ? 3.4028235e38F
                                            : std::numeric_limits<float>::quiet_NaN());
      case Kind::string:
        return Literal(std::string(random_.below(2) == 0 ? "" : "a \"q\"\n\xe2\x98\x83"));
      case Kind::list: {
        ListLiteral list;
        for (std::size_t i = for_torch_ ? 0 : random_.below(3); i > 0; --i) {
          if (auto item = default_of(type.args.front())) list.items.push_back(*std::move(item));
        }
        return Literal(std::move(list));
      }
      case Kind::map: {
        MapLiteral map;
        const Type* const key = generator::key_of(type);
        const bool is_of_enum = key != nullptr && key->kind == Kind::named;
        for (std::size_t i = is_of_enum || for_torch_ ? 0 : random_.below(3); i > 0; --i) {
          if (auto value = default_of(type.args.front()))
            map.entries.push_back({key_of_map(type, i), *std::move(value)});
        }
        return Literal(std::move(map));
      }
      case Kind::named:
        return default_of(type.named);
      case Kind::optional:
        if (random_.chance(50)) {
          if (auto value = default_of(type.args.front())) return value;
        }
        return Literal(std::monostate{});
      case Kind::bytes:
      case Kind::unit:
      case Kind::any:
        break;
    }
    return std::nullopt;
  }

  static Literal key_of_map(const Type& map, std::size_t i) {
    if (generator::key_of(map) == nullptr) return Literal("key " + std::to_string(i));
    return Literal(static_cast<std::int64_t>(i));
  }

  Literal random_bound(const generator::IntegerType& type) {
    if (random_.chance(50)) return Literal(type.min);
    if (type.kind == Kind::uint64) return Literal(type.max);
    return Literal(static_cast<std::int64_t>(type.max));
  }

  std::optional<Literal> default_of(std::size_t index) {
    const Definition& type = model_.types[index];
    if (type.is_enum()) {
      const Field& value = type.values[random_.below(type.values.size())];
      return Literal(EnumMember{value.name, value.id, index});
    }
    if (for_torch_) return std::nullopt;
    FieldsLiteral result;
    result.type = index;
    const auto add = [&](const Field& field, std::optional<Literal> value) {
      if (value) result.values.push_back({field.name, field.id, *std::move(value)});
      return value.has_value();
    };
    if (type.is_union()) {
      const Field& member = type.fields[random_.below(type.fields.size())];
      if (!add(member, default_of(member.type))) return std::nullopt;
    } else {
      for (const Field& field : type.fields) {
        const bool takes_its_own = field.fallback && (field.boxed || random_.chance(60));
        if (!add(field, takes_its_own ? field.fallback : default_of(field.type))) return std::nullopt;
      }
    }
    return Literal(std::move(result));
  }

  Random& random_;
  bool for_torch_;
  Model model_;
  std::size_t next_name_ = 0;
};

class Editor {
 public:
  Editor(Model model, Random& random, std::set<std::string>& touched)
      : model_(std::move(model)), random_(random), touched_(touched) {
    for (const Definition& type : model_.types) {
      for (const Field& field : type.fields) {
        if (field.fallback && is_composed(*field.fallback)) note_held(field);
      }
    }
  }

  Model& model() { return model_; }
  Random& random() { return random_; }
  Definition& type(std::size_t index) { return model_.types[index]; }

  std::optional<std::size_t> take_type(DefinitionKind kind,
                                       std::function<bool(const Definition&)> fits = {}) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < model_.types.size(); ++i) {
      const Definition& type = model_.types[i];
      const bool is_free =
          type.name != "Root" && !is_touched(i) && in_defaults_.count(i) == 0 && type.kind == kind;
      if (is_free && (!fits || fits(type))) found.push_back(i);
    }
    if (found.empty()) return std::nullopt;
    const std::size_t index = found[random_.below(found.size())];
    touched_.insert(model_.types[index].name);
    return index;
  }

  Field* take_field(std::function<bool(const Field&)> fits) {
    const auto has_one = [&](const Definition& type) {
      return std::any_of(type.fields.begin(), type.fields.end(), fits);
    };
    const auto index = take_type(DefinitionKind::structure, has_one);
    if (!index) return nullptr;
    owner_ = *index;
    std::vector<Field*> found;
    for (Field& field : type(*index).fields) {
      if (fits(field)) found.push_back(&field);
    }
    return found[random_.below(found.size())];
  }
  std::size_t owner() const { return owner_; }

  void touch(std::size_t index) { touched_.insert(model_.types[index].name); }
  bool is_touched(std::size_t index) const { return touched_.count(model_.types[index].name) != 0; }

  static std::int32_t free_id(const Definition& type) {
    std::int32_t id = 0;
    for (const Field& field : type.fields) id = std::max(id, field.id);
    for (const std::int32_t reserved : type.reserved.ids) id = std::max(id, reserved);
    return id + 10;
  }

 private:
  void note_held(const Field& field) {
    const auto index = named_in(field.type);
    if (!index || !in_defaults_.insert(*index).second) return;
    for (const Field& inner : model_.types[*index].fields) note_held(inner);
  }

  Model model_;
  Random& random_;
  std::set<std::string>& touched_;
  std::set<std::size_t> in_defaults_;
  std::size_t owner_ = 0;
};

bool is_required(const Field& field) {
  return !field.fallback && field.type.kind != Kind::optional;
}
std::function<bool(const Field&)> required_of_kind(Kind kind) {
  return [kind](const Field& field) { return is_required(field) && field.type.kind == kind; };
}

bool add_field(Editor& editor, bool is_optional, std::optional<Literal> fallback) {
  const auto index = editor.take_type(DefinitionKind::structure);
  if (!index) return false;
  Definition& type = editor.type(*index);
  Field field;
  field.name = "added";
  field.id = Editor::free_id(type);
  field.type = simple(Kind::integer);
  if (is_optional) field.type = holding(Kind::optional, std::move(field.type));
  field.fallback = std::move(fallback);
  type.fields.push_back(std::move(field));
  return true;
}

bool add_optional(Editor& editor) {
  return add_field(editor, true, Literal(std::monostate{}));
}
bool add_defaulted(Editor& editor) {
  return add_field(editor, false, Literal(std::int64_t{7}));
}
bool add_required(Editor& editor) {
  return add_field(editor, false, std::nullopt);
}

bool remove_and_reserve(Editor& editor) {
  const Field* const field = editor.take_field([](const Field&) { return true; });
  if (field == nullptr) return false;
  Definition& type = editor.type(editor.owner());
  type.reserved.ids.push_back(field->id);
  type.reserved.names.push_back(field->name);
  std::vector<Field>& fields = type.fields;
  fields.erase(fields.begin() + (field - fields.data()));
  return true;
}

bool reuse_id(Editor& editor) {
  Field* const field = editor.take_field([](const Field& one) {
    return one.type.kind != Kind::optional || one.type.args.front().kind != Kind::any;
  });
  if (field == nullptr) return false;
  field->name = "reused";
  field->type = holding(Kind::optional, simple(Kind::any));
  field->fallback = Literal(std::monostate{});
  field->boxed = false;
  return true;
}

bool change_id(Editor& editor) {
  Field* const field = editor.take_field([](const Field&) { return true; });
  if (field == nullptr) return false;
  field->id = Editor::free_id(editor.type(editor.owner()));
  return true;
}

bool swap_ids(Editor& editor) {
  const auto differ = [](const Definition& type) {
    const std::vector<Field>& fields = type.fields;
    return fields.size() > 1 && fields.front().type.kind != fields.back().type.kind;
  };
  const auto index = editor.take_type(DefinitionKind::structure, differ);
  if (!index) return false;
  std::vector<Field>& fields = editor.type(*index).fields;
  std::swap(fields.front().id, fields.back().id);
  return true;
}

bool rename_field(Editor& editor) {
  Field* const field = editor.take_field([](const Field&) { return true; });
  if (field == nullptr) return false;
  editor.type(editor.owner()).reserved.names.push_back(field->name);
  field->name += "_renamed";
  return true;
}

bool change_default(Editor& editor) {
  Field* const field = editor.take_field([](const Field& one) {
    const bool is_list = one.type.kind == Kind::list && one.fallback && is_composed(*one.fallback);
    return one.fallback && (one.type.kind == Kind::integer || one.type.kind == Kind::string || is_list);
  });
  if (field == nullptr) return false;
  if (field->type.kind == Kind::list) {
    std::get<ListLiteral>(*field->fallback).items.clear();
    return true;
  }
  field->fallback =
      field->type.kind == Kind::integer ? Literal(std::int64_t{1000}) : Literal(std::string("other"));
  return true;
}

bool drop_default(Editor& editor) {
  Field* const field =
      editor.take_field([](const Field& one) { return one.fallback && one.type.kind != Kind::optional; });
  if (field == nullptr) return false;
  field->fallback.reset();
  return true;
}

bool make_optional(Editor& editor) {
  Field* const field = editor.take_field(is_required);
  if (field == nullptr) return false;
  field->type = holding(Kind::optional, std::move(field->type));
  field->fallback = Literal(std::monostate{});
  return true;
}

bool change_type(Editor& editor, Kind from, Type to) {
  Field* const field = editor.take_field(required_of_kind(from));
  if (field == nullptr) return false;
  field->type = std::move(to);
  return true;
}
bool int_to_float(Editor& editor) {
  return change_type(editor, Kind::integer, simple(Kind::floating));
}
bool int8_to_int16(Editor& editor) {
  return change_type(editor, Kind::int8, simple(Kind::int16));
}
bool uint8_to_int16(Editor& editor) {
  return change_type(editor, Kind::uint8, simple(Kind::int16));
}
bool uint32_to_int(Editor& editor) {
  return change_type(editor, Kind::uint32, simple(Kind::integer));
}
bool int8_keys_to_int(Editor& editor) {
  Field* const field = editor.take_field([](const Field& one) {
    const Type* const key = one.type.kind == Kind::map ? generator::key_of(one.type) : nullptr;
    return is_required(one) && key != nullptr && key->kind == Kind::int8;
  });
  if (field == nullptr) return false;
  field->type.args.back() = simple(Kind::integer);
  return true;
}
bool float32_to_float(Editor& editor) {
  return change_type(editor, Kind::float32, simple(Kind::floating));
}
bool int_to_uint64(Editor& editor) {
  return change_type(editor, Kind::integer, simple(Kind::uint64));
}
bool int16_to_uint16(Editor& editor) {
  return change_type(editor, Kind::int16, simple(Kind::uint16));
}
bool str_to_bytes(Editor& editor) {
  return change_type(editor, Kind::string, simple(Kind::bytes));
}
bool bool_to_str(Editor& editor) {
  return change_type(editor, Kind::boolean, simple(Kind::string));
}
bool int_to_list(Editor& editor) {
  return change_type(editor, Kind::integer, holding(Kind::list, simple(Kind::integer)));
}

bool int_to_any(Editor& editor) {
  return change_type(editor, Kind::integer, simple(Kind::any));
}

bool make_enum(Editor& editor, Kind from) {
  const auto& types = editor.model().types;
  const auto found = std::find_if(types.begin(), types.end(), [](const Definition& type) {
    return type.is_enum() && !type.is_named_in_json;
  });
  if (found == types.end()) return false;
  return change_type(editor, from, named(static_cast<std::size_t>(found - types.begin())));
}
bool int_to_enum(Editor& editor) {
  return make_enum(editor, Kind::integer);
}
bool int32_to_enum(Editor& editor) {
  return make_enum(editor, Kind::int32);
}

bool optional_to_default(Editor& editor) {
  Field* const field = editor.take_field([](const Field& one) {
    return one.type.kind == Kind::optional && one.type.args.front().kind == Kind::integer;
  });
  if (field == nullptr) return false;
  field->type = simple(Kind::integer);
  field->fallback = Literal(std::int64_t{7});
  return true;
}

bool make_recursive(Editor& editor) {
  Model& model = editor.model();
  const auto holds_itself = [&](const Definition& type) {
    const auto index = model.find(type.name);
    return std::any_of(type.fields.begin(), type.fields.end(),
                       [&](const Field& field) { return named_in(field.type) == index; });
  };
  const auto index = editor.take_type(DefinitionKind::structure,
                                      [&](const Definition& type) { return !holds_itself(type); });
  if (!index) return false;
  Definition& type = editor.type(*index);
  Field field;
  field.name = "added";
  field.id = Editor::free_id(type);
  field.type = holding(Kind::optional, named(*index));
  field.fallback = Literal(std::monostate{});
  field.boxed = true;
  type.fields.push_back(std::move(field));
  return true;
}

bool reorder(Editor& editor) {
  const auto index = editor.take_type(DefinitionKind::structure,
                                      [](const Definition& type) { return type.fields.size() > 1; });
  if (!index) return false;
  std::vector<Field>& fields = editor.type(*index).fields;
  std::rotate(fields.begin(), fields.begin() + 1, fields.end());
  return true;
}

bool add_member(Editor& editor) {
  const auto index = editor.take_type(DefinitionKind::union_);
  if (!index) return false;
  Field member;
  member.name = "added";
  member.id = Editor::free_id(editor.type(*index));
  member.type = simple(Kind::string);
  editor.type(*index).fields.push_back(std::move(member));
  return true;
}

bool remove_member(Editor& editor) {
  const auto index =
      editor.take_type(DefinitionKind::union_, [](const Definition& type) { return type.fields.size() > 1; });
  if (!index) return false;
  Definition& type = editor.type(*index);
  type.reserved.ids.push_back(type.fields.back().id);
  type.reserved.names.push_back(type.fields.back().name);
  type.fields.pop_back();
  return true;
}

void update_defaults(Model& model, std::size_t enum_type, const Field& before, const Field& after) {
  for (Definition& type : model.types) {
    if (type.is_enum()) continue;
    for (Field& field : type.fields) {
      if (!field.fallback || field.type.kind != Kind::named || field.type.named != enum_type) continue;
      if (std::get<EnumMember>(*field.fallback).name == before.name) {
        field.fallback = Literal(EnumMember{after.name, after.id, enum_type});
      }
    }
  }
}

bool add_value(Editor& editor) {
  const auto index = editor.take_type(DefinitionKind::enumeration);
  if (!index) return false;
  editor.type(*index).values.push_back({"ADDED", 100, {}});
  return true;
}

bool remove_value(Editor& editor) {
  Model& model = editor.model();
  const auto is_default = [&](const std::string& name) {
    return std::any_of(model.types.begin(), model.types.end(), [&](const Definition& type) {
      return std::any_of(type.fields.begin(), type.fields.end(), [&](const Field& field) {
        const auto* member = field.fallback ? std::get_if<EnumMember>(&*field.fallback) : nullptr;
        return member != nullptr && member->name == name;
      });
    });
  };
  const auto index = editor.take_type(DefinitionKind::enumeration, [&](const Definition& type) {
    const auto& values = type.values;
    return values.size() > 1 && !is_default(values.back().name);
  });
  if (!index) return false;
  Definition& type = editor.type(*index);
  std::vector<Field>& values = type.values;
  type.reserved.ids.push_back(values.back().id);
  type.reserved.names.push_back(values.back().name);
  values.pop_back();
  return true;
}

bool rename_value(Editor& editor, bool in_json) {
  const auto index = editor.take_type(
      DefinitionKind::enumeration, [=](const Definition& type) { return type.is_named_in_json == in_json; });
  if (!index) return false;
  Field& value = editor.type(*index).values.back();
  const Field before = value;
  value.name += "_RENAMED";
  update_defaults(editor.model(), *index, before, value);
  return true;
}

bool rename_number(Editor& editor) {
  return rename_value(editor, false);
}
bool rename_in_json(Editor& editor) {
  return rename_value(editor, true);
}

bool name_in_json(Editor& editor) {
  const auto index = editor.take_type(DefinitionKind::enumeration,
                                      [](const Definition& type) { return !type.is_named_in_json; });
  if (index) editor.type(*index).is_named_in_json = true;
  return index.has_value();
}

bool renumber_value(Editor& editor) {
  const auto index = editor.take_type(DefinitionKind::enumeration);
  if (!index) return false;
  Field& value = editor.type(*index).values.back();
  const Field before = value;
  value.id = 200;
  update_defaults(editor.model(), *index, before, value);
  return true;
}

bool rename_type(Editor& editor) {
  const bool of_struct = editor.random().chance(60);
  const auto index = of_struct ? editor.take_type(DefinitionKind::structure,
                                                  [](const Definition& type) { return !type.fields.empty(); })
                               : editor.take_type(DefinitionKind::enumeration);
  if (!index) return false;
  editor.type(*index).name += "Renamed";
  editor.touch(*index);
  return true;
}

bool add_type(Editor& editor) {
  Definition type;
  type.name = "Added" + std::to_string(editor.model().types.size());
  Field field;
  field.name = "x";
  field.id = 10;
  field.type = simple(Kind::integer);
  type.fields.push_back(field);
  editor.model().types.push_back(std::move(type));
  editor.touch(editor.model().types.size() - 1);
  return true;
}

bool refers_to(const Definition& type, std::size_t index) {
  return std::any_of(type.fields.begin(), type.fields.end(),
                     [&](const Field& field) { return named_in(field.type) == index; });
}

Definition* retarget(Editor& editor) {
  Model& model = editor.model();
  Field* const field = editor.take_field([&](const Field& one) {
    const auto index = named_in(one.type);
    if (!index || editor.is_touched(*index) || (one.fallback && is_composed(*one.fallback))) return false;
    const Definition& type = model.types[*index];
    // A recursive type and its copy, which holds the original, have different canonical forms.
    return type.is_struct() && !type.fields.empty() && !refers_to(type, *index);
  });
  if (field == nullptr) return nullptr;
  Type* inner = &field->type;
  while (!inner->args.empty()) inner = &inner->args.front();
  editor.touch(inner->named);
  Definition copy = model.types[inner->named];
  copy.name += "Copy";
  inner->named = model.types.size();
  model.types.push_back(std::move(copy));
  editor.touch(model.types.size() - 1);
  return &model.types.back();
}

bool retarget_to_copy(Editor& editor) {
  return retarget(editor) != nullptr;
}
bool retarget_to_other_ids(Editor& editor) {
  Definition* const copy = retarget(editor);
  if (copy == nullptr) return false;
  copy->fields.front().id = Editor::free_id(*copy);
  return true;
}

bool struct_to_union(Editor& editor) {
  // Writing a union of one member is like writing a struct of one field.
  const auto index = editor.take_type(DefinitionKind::structure, [&](const Definition& type) {
    return type.fields.size() > 1 && std::none_of(type.fields.begin(), type.fields.end(),
                                                  [](const Field& field) { return field.boxed; });
  });
  if (!index) return false;
  editor.type(*index).kind = DefinitionKind::union_;
  for (Field& member : editor.type(*index).fields) {
    member.fallback.reset();
    if (member.type.kind == Kind::optional) member.type = Type(member.type.args.front());
  }
  return true;
}

bool document(Editor& editor) {
  const auto index = editor.take_type(DefinitionKind::structure);
  if (!index) return false;
  editor.type(*index).doc = "Said in other words.";
  return true;
}

bool box(Editor& editor) {
  Field* const field = editor.take_field(
      [](const Field& one) { return one.type.kind == Kind::named && !one.boxed && !one.fallback; });
  if (field == nullptr) return false;
  field->boxed = true;
  return true;
}

bool reserve(Editor& editor) {
  const auto index = editor.take_type(DefinitionKind::structure);
  if (!index) return false;
  editor.type(*index).reserved.ids.push_back(Editor::free_id(editor.type(*index)));
  return true;
}

constexpr Bump kNone = Bump::none;
constexpr Bump kMinor = Bump::minor;
constexpr Bump kMajor = Bump::major;
constexpr Bump kError = Bump::error;

struct NamedEdit {
  EditKind kind;
  bool (*apply)(Editor&);
};

// Removals without a reservation are errors, so undoing an addition is one.
const std::vector<NamedEdit> kEdits = {
    {{"add an Optional field", kMinor, kError, false, false, "FIELD_ADDED_OPTIONAL",
      "FIELD_REMOVED_OPTIONAL"},
     add_optional},
    {{"add a field with a default", kMinor, kError, false, false, "FIELD_ADDED_DEFAULTED",
      "FIELD_REMOVED_OPTIONAL"},
     add_defaulted},
    {{"add a required field", kMajor, kError, false, false, "FIELD_ADDED_REQUIRED", "FIELD_REMOVED_REQUIRED"},
     add_required},
    {{"remove a field and reserve it", kMajor, kMajor, false, false, "", "FIELD_ID_REUSED"},
     remove_and_reserve},
    {{"use an id for another field", kError, kError, false, false, "FIELD_ID_REUSED", "FIELD_ID_REUSED"},
     reuse_id},
    {{"change an id", kMajor, kMajor, true, false, "FIELD_ID_CHANGED", "FIELD_ID_CHANGED"}, change_id},
    {{"swap two ids", kMajor, kMajor, true, false, "FIELD_ID_REUSED", "FIELD_ID_REUSED"}, swap_ids},
    {{"rename a field and reserve its name", kMajor, kError, false, true, "FIELD_RENAMED",
      "FIELD_REMOVED_NOT_RESERVED"},
     rename_field},
    {{"change a default", kMajor, kMajor, false, false, "DEFAULT_CHANGED", "DEFAULT_CHANGED"},
     change_default},
    {{"drop a default", kMajor, kMinor, false, false, "DEFAULTED_TO_REQUIRED", "REQUIRED_TO_DEFAULTED"},
     drop_default},
    {{"make a field Optional", kMajor, kMajor, false, false, "REQUIRED_TO_OPTIONAL", "OPTIONAL_TO_REQUIRED"},
     make_optional},
    {{"make an int a float", kMajor, kMajor, false, false, "INT_TO_DOUBLE", "FIELD_TYPE_CHANGED"},
     int_to_float},
    {{"make an int8 an int16", kMajor, kMajor, false, false, "NUMBER_WIDENED", "NUMBER_NARROWED"},
     int8_to_int16},
    {{"make a uint8 an int16", kMajor, kMajor, false, false, "NUMBER_WIDENED", "NUMBER_NARROWED"},
     uint8_to_int16},
    {{"make a uint32 an int", kMajor, kMajor, false, false, "NUMBER_WIDENED", "NUMBER_NARROWED"},
     uint32_to_int},
    {{"make the int8 keys of a Dict int", kMajor, kMajor, false, false, "NUMBER_WIDENED", "NUMBER_NARROWED"},
     int8_keys_to_int},
    {{"make a float32 a float", kMajor, kMajor, false, false, "NUMBER_WIDENED", "NUMBER_NARROWED"},
     float32_to_float},
    {{"make an int a uint64", kMajor, kMajor, false, false, "NUMBER_RANGE_CHANGED", "NUMBER_RANGE_CHANGED"},
     int_to_uint64},
    {{"make an int16 a uint16", kMajor, kMajor, false, false, "NUMBER_RANGE_CHANGED", "NUMBER_RANGE_CHANGED"},
     int16_to_uint16},
    {{"make a str bytes", kMajor, kMajor, false, false, "STRING_TO_BINARY", "BINARY_TO_STRING"},
     str_to_bytes},
    {{"make a bool a str", kMajor, kMajor, false, false, "FIELD_TYPE_CHANGED", "FIELD_TYPE_CHANGED"},
     bool_to_str},
    {{"make an int a list", kMajor, kMajor, false, false, "T_TO_LIST", "FIELD_TYPE_CHANGED"}, int_to_list},
    {{"make an int Any", kMajor, kMajor, false, false, "TYPE_TO_ANY", "ANY_TO_TYPE"}, int_to_any},
    {{"make an int an enum", kMajor, kMajor, false, false, "INT_TO_ENUM", "ENUM_TO_INT"}, int_to_enum},
    {{"make an int32 an enum", kNone, kNone, false, false, "INT_TO_ENUM", "ENUM_TO_INT"}, int32_to_enum},
    {{"give an Optional a default", kMajor, kMajor, false, false, "OPTIONAL_TO_DEFAULTED",
      "DEFAULTED_TO_OPTIONAL"},
     optional_to_default},
    {{"let a type hold itself", kMinor, kError, false, false, "RECURSION_INTRODUCED",
      "FIELD_REMOVED_OPTIONAL"},
     make_recursive},
    {{"put fields in another order", kNone, kNone, true, true, "FIELD_REORDERED", "FIELD_REORDERED"},
     reorder},
    {{"add a member to a union", kMinor, kError, false, false, "UNION_MEMBER_ADDED", "UNION_MEMBER_REMOVED"},
     add_member},
    {{"remove a member of a union and reserve it", kMajor, kMajor, false, false, "UNION_MEMBER_REMOVED",
      "FIELD_ID_REUSED"},
     remove_member},
    {{"add a value to an enum", kMinor, kError, false, false, "ENUM_VALUE_ADDED", "ENUM_VALUE_REMOVED"},
     add_value},
    {{"remove a value of an enum and reserve it", kMajor, kMajor, false, false, "ENUM_VALUE_REMOVED",
      "ENUM_NUMBER_REUSED"},
     remove_value},
    {{"rename a value of an enum", kNone, kNone, true, true, "ENUM_VALUE_RENAMED", "ENUM_VALUE_RENAMED"},
     rename_number},
    {{"rename a value of an enum that JSON has by name", kMajor, kMajor, false, true,
      "ENUM_JSON_NAME_CHANGED", "ENUM_JSON_NAME_CHANGED"},
     rename_in_json},
    {{"have an enum by name in JSON", kMajor, kMajor, false, true, "ENUM_JSON_TO_NAMES",
      "ENUM_JSON_TO_NUMBERS"},
     name_in_json},
    {{"renumber a value of an enum", kMajor, kMajor, false, false, "ENUM_VALUE_RENUMBERED",
      "ENUM_VALUE_RENUMBERED"},
     renumber_value},
    {{"rename a type", kNone, kNone, true, true, "TYPE_RENAMED", "TYPE_RENAMED"}, rename_type},
    {{"add a type", kMinor, kMinor, true, true, "TYPE_ADDED", "TYPE_REMOVED"}, add_type},
    {{"refer to a copy of a type", kMinor, kMinor, true, true, "TYPE_RETARGETED", "TYPE_RETARGETED"},
     retarget_to_copy},
    {{"refer to a copy of a type with another id", kMajor, kMajor, true, false, "TYPE_RETARGETED",
      "TYPE_RETARGETED"},
     retarget_to_other_ids},
    {{"make a struct a union", kMajor, kMajor, false, false, "KIND_CHANGED", "KIND_CHANGED"},
     struct_to_union},
    {{"change a doc", kNone, kNone, true, true, "DOC_CHANGED", "DOC_CHANGED"}, document},
    {{"box a field", kNone, kNone, true, true, "CPP_ATTRIBUTE_CHANGED", "CPP_ATTRIBUTE_CHANGED"}, box},
    {{"reserve an id", kNone, kError, true, true, "", "RESERVED_REMOVED"}, reserve},
};

std::string in_quotes(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::ostringstream out;
  out << std::quoted(text);
  return out.str();
}

std::string field_text(const Model& model, const Field& field) {
  std::string out = "      " + field.name + ": {id: " + std::to_string(field.id) + ", type: \"" +
                    spelled(model, field.type) + "\"";
  if (field.fallback) out += ", default: " + spelled(*field.fallback);
  if (field.boxed) out += ", boxed: true";
  if (!field.doc.empty()) out += ", doc: " + in_quotes(field.doc);
  if (!field.deprecated.empty()) out += ", deprecated: " + in_quotes(field.deprecated);
  if (field.cpp_name) out += ", cpp_name: " + *field.cpp_name;
  return out + "}\n";
}

template <typename Items, typename Text>
std::string joined(const Items& items, Text text) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + text(item);
  return out;
}

std::string type_text(const Model& model, const Definition& type) {
  std::string out = "  " + type.name + ":\n    kind: " + std::string(name_of(type.kind)) + "\n";
  if (!type.doc.empty()) out += "    doc: " + in_quotes(type.doc) + "\n";
  if (type.is_enum()) {
    const auto value_text = [](const Field& value) { return value.name + ": " + std::to_string(value.id); };
    if (type.is_named_in_json) out += "    json: name\n";
    out += "    fields: {" + joined(type.values, value_text) + "}\n";
  } else {
    out += type.fields.empty() ? "    fields: {}\n" : "    fields:\n";
    for (const Field& field : type.fields) out += field_text(model, field);
  }
  if (!type.reserved.ids.empty() || !type.reserved.names.empty()) {
    out += "    reserved: {ids: [" + joined(type.reserved.ids, [](auto id) { return std::to_string(id); }) +
           "], names: [" + joined(type.reserved.names, [](const auto& name) { return name; }) + "]}\n";
  }
  return out;
}

std::string constants_text(const Model& model) {
  if (model.constants.empty()) return "";
  const auto text = [](const auto& constant) {
    return constant.name + ": " + std::to_string(constant.value);
  };
  return "constants: {" + joined(model.constants, text) + "}\n";
}

std::string head_text(const Model& model) {
  return "name: " + model.name + "\nversion: {major: " + std::to_string(model.version.major_) +
         ", minor: " + std::to_string(model.version.minor_) + "}\nroots: [" +
         joined(model.roots, [&](std::size_t root) { return model.types[root].name; }) + "]\n" +
         constants_text(model) + "types:\n";
}

void add_held(const Type& type, std::vector<std::size_t>& into) {
  if (type.kind == Kind::named) into.push_back(type.named);
  for (const Type& inner : type.args) add_held(inner, into);
}

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Model random_schema(Random& random, bool for_torch) {
  return Maker(random, for_torch).make();
}

std::string yaml_text(const Model& model) {
  std::string out = head_text(model);
  for (const Definition& type : model.types) out += type_text(model, type);
  return out;
}

SplitText split_text(const Model& model, const std::string& import, Random& random) {
  std::set<std::size_t> moved;
  std::vector<std::size_t> waiting = {random.below(model.types.size()), random.below(model.types.size())};
  while (!waiting.empty()) {
    const std::size_t index = waiting.back();
    waiting.pop_back();
    if (!moved.insert(index).second) continue;
    for (const Field& field : model.types[index].fields) add_held(field.type, waiting);
  }
  SplitText texts = {"imports: [" + import + "]\n" + head_text(model),
                     "name: imported\nversion: {major: 7, minor: 3}\ntypes:\n"};
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    (moved.count(i) != 0 ? texts.imported : texts.schema) += type_text(model, model.types[i]);
  }
  if (moved.size() == model.types.size()) texts.schema += "  {}\n";
  return texts;
}

const std::vector<EditKind>& edit_kinds() {
  static const std::vector<EditKind> kinds = [] {
    std::vector<EditKind> result;
    for (const NamedEdit& edit : kEdits) result.push_back(edit.kind);
    return result;
  }();
  return kinds;
}

std::optional<Model> edited(const Model& before, std::size_t kind, Random& random,
                            std::set<std::string>& touched) {
  Editor editor(before, random, touched);
  if (!kEdits.at(kind).apply(editor)) return std::nullopt;
  return std::move(editor.model());
}

}  // namespace schemagen_test
