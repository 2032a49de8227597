#include "model/python_name.h"

#include <variant>

namespace generator {
namespace {

template <typename Members>
bool has_name(const Members& members, std::string_view name) {
  return std::any_of(members.begin(), members.end(), [&](const auto& member) { return member.name == name; });
}

}  // namespace

bool has_member(const Definition& type, std::string_view name) {
  const auto* const body = std::get_if<Enum>(&type.body);
  return body != nullptr ? has_name(body->values, name) : has_name(type.fields(), name);
}

std::string with_underscore(std::string name, const Definition* owner) {
  do {
    name += '_';
  } while (owner != nullptr && has_member(*owner, name));
  return name;
}

}  // namespace generator
