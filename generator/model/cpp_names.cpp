#include "model/cpp_names.h"

#include <algorithm>
#include <map>

#include "model/cpp_words.h"
#include "text/characters.h"
#include "text/message.h"

namespace generator {
namespace {

enum class Role : std::uint8_t { type, constant, field, union_member, enum_member };

constexpr std::string_view kRuntimeNames = "std schemagen";
// Argument-dependent lookup finds these, unless a namespace hides them.
constexpr std::string_view kFoundByArguments =
    "read_json write_json json_codec json_names read_compact write_compact compact_type compact_codec "
    "fields_of name_of visit swap";
constexpr std::string_view kNamespaceNames =
    "kSchemaName kSchemaMajor kSchemaMinor kSchemaHash kSchemaHashBytes kSchemaNormalForm kSchema kRoots "
    "kReflection reflection_tables all_types fields_of value_hash Kind";
// Sources use these, so types must not hide them.
constexpr std::string_view kTypeNames =
    "CompactField CompactFields CompactFieldsWriter CompactMember CompactReader CompactWriter CompactType "
    "Union Member HeldMember MemberNumber";
// Functions, their parameters and locals.
constexpr std::string_view kConstantNames =
    "read_json write_json json_codec json_names read_compact write_compact compact_codec compact_type "
    "read_field name_of from_name types fields member value in out index found name kind other a "
    "b kFields kMembers kTypes T Traits List";
// Inside every union.
constexpr std::string_view kUnionNames =
    "unset Kind kind is get get_if emplace ensure reset equals Union Member of visit name_of other";

/// Like the inner namespace of generated code.
bool is_like_version(std::string_view name) {
  return name.size() > 1 && name.front() == 'v' && std::all_of(name.begin() + 1, name.end(), is_digit);
}

bool is_in_generated_code(std::string_view name, Role role) {
  // In the order of Role. Names in the namespace would be hidden by members of an enum.
  static const Words words[] = {words_of({kNamespaceNames, kTypeNames}),
                                words_of({kNamespaceNames, kTypeNames, kConstantNames, kRuntimeNames}),
                                words_of({kNamespaceNames, kRuntimeNames}),
                                words_of({kNamespaceNames, kRuntimeNames, kUnionNames}),
                                words_of({kNamespaceNames})};
  return words[static_cast<std::size_t>(role)].count(name) != 0 ||
         (role == Role::constant && is_like_version(name));
}

/// `class_`, `class_2`; `x_2`, `x_3` if the name already ends in an underscore.
std::string with_underscore(const std::string& schema_name, int number) {
  const std::string name = without_reservation(schema_name);
  const bool has_one = name.back() == '_';
  const std::string stem = has_one ? name : name + "_";
  return !has_one && number == 1 ? stem : stem + std::to_string(has_one ? number + 1 : number);
}

struct Wish {
  const std::string& name;
  const std::optional<std::string>* given = nullptr;
};

struct Naming {
  Role role;
  const std::set<std::string>& outside;
  std::map<std::string, std::string> taken{};
  std::map<std::string, int> numbers{};

  std::vector<CppName> run(const std::vector<Wish>& wishes) {
    std::vector<CppName> names(wishes.size());
    const auto each = [&](auto&& name_one) {
      for (std::size_t i = 0; i < wishes.size(); ++i) name_one(wishes[i], names[i]);
    };
    each([&](const Wish& wish, CppName& name) {
      if (!is_given(wish)) return;
      name.name = **wish.given;
      name.reason = fault_of(name.name);
      if (name.reason.empty()) name.reason = compilers_fault(name.name);
      taken.emplace(name.name, wish.name);
    });
    each([&](const Wish& wish, CppName& name) {
      if (is_given(wish) || !renamed_because(wish.name).empty()) return;
      name.name = wish.name;
      taken.emplace(wish.name, wish.name);
    });
    each([&](const Wish& wish, CppName& name) {
      if (!name.name.empty()) return;
      name.reason = renamed_because(wish.name);
      int& number = numbers[wish.name];
      do {
        name.name = with_underscore(wish.name, ++number);
      } while (!fault_of(name.name).empty());
      taken.emplace(name.name, wish.name);
    });
    return names;
  }

  static bool is_given(const Wish& wish) { return wish.given != nullptr && wish.given->has_value(); }

  std::string fault_of(const std::string& name) const {
    // A macro with parameters, such as `major`, does not affect a data member.
    const bool is_left_alone = role == Role::field && is_function_macro(name);
    if (std::string fault = word_fault(name); !fault.empty() && !is_left_alone) return fault;
    if (is_in_generated_code(name, role)) return "generated code uses the name " + quoted(name);
    if (outside.count(name) != 0) return "a type is already named " + quoted(name);
    const auto other = taken.find(name);
    if (other != taken.end()) return quoted(other->second) + " is already named " + quoted(name);
    return "";
  }

  std::string renamed_because(const std::string& name) const {
    const bool is_left_alone = role == Role::field && is_function_macro(name);
    if (std::string fault = platform_fault(name); !fault.empty() && !is_left_alone) return fault;
    const std::string fault = fault_of(name);
    return fault.empty() ? compilers_fault(name) : fault;
  }
};

std::vector<Wish> wishes_of(const Definition& type) {
  std::vector<Wish> wishes;
  for (const Field& member : type.members()) wishes.push_back({member.name, &member.cpp_name});
  return wishes;
}

Role member_role(const Definition& type) {
  if (type.is_enum()) return Role::enum_member;
  return type.is_union() ? Role::union_member : Role::field;
}

}  // namespace

CppNames cpp_names(const Model& model) {
  CppNames names;
  names.name_space = {model.name, namespace_fault(model.name, true)};
  if (!names.name_space.reason.empty()) names.name_space.name = with_underscore(model.name, 1);

  const std::set<std::string> none;
  std::vector<Wish> wishes;
  for (const Definition& type : model.types) wishes.push_back({type.name, &type.cpp_name});
  names.types = Naming{Role::type, none}.run(wishes);
  std::set<std::string> types;
  for (const CppName& type : names.types) types.insert(type.name);

  for (const Definition& type : model.types) {
    const Role role = member_role(type);
    names.members.push_back(Naming{role, role == Role::enum_member ? none : types}.run(wishes_of(type)));
  }
  wishes.clear();
  for (const Constant& constant : model.constants) wishes.push_back({constant.name});
  names.constants = Naming{Role::constant, types}.run(wishes);
  return names;
}

std::set<std::string> names_of_generated_code() {
  const Words words = words_of({kNamespaceNames, kTypeNames, kConstantNames, kUnionNames});
  return {words.begin(), words.end()};
}

std::vector<CppRename> cpp_renames(const Model& model) {
  const CppNames names = cpp_names(model);
  std::vector<CppRename> renames;
  const auto add = [&](Span span, const std::string& thing, const CppName& cpp, bool has_key) {
    if (!cpp.reason.empty()) renames.push_back({span, quoted(thing), cpp, has_key});
  };
  add(model.name_span, model.name, names.name_space, false);
  for (std::size_t i = 0; i < model.constants.size(); ++i)
    add(model.constants[i].span, model.constants[i].name, names.constants[i], false);
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    const Definition& type = model.types[i];
    if (!type.cpp_name) add(type.span, type.name, names.types[i], true);
    for (std::size_t j = 0; j < type.members().size(); ++j) {
      const Field& member = type.members()[j];
      if (!member.cpp_name)
        add(member.span, type.name + "." + member.name, names.members[i][j], !type.is_enum());
    }
  }
  return renames;
}

std::string namespace_fault(std::string_view name, bool is_global) {
  if (std::string fault = word_fault(name); !fault.empty()) return fault;
  if (std::string fault = compilers_fault(name); !fault.empty()) return fault;
  if (std::string fault = platform_fault(name); !fault.empty()) return fault;
  static const Words runtime = words_of({kRuntimeNames});
  static const Words functions = words_of({kFoundByArguments});
  if (runtime.count(name) != 0) return "generated code needs the namespace " + quoted(name);
  if (functions.count(name) != 0) return "generated code has functions called " + quoted(name);
  if (is_global && is_global_name(name)) return "the C library has a " + quoted(name);
  return "";
}

}  // namespace generator
