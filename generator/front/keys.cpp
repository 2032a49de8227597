#include "front/keys.h"

#include <algorithm>
#include <iterator>

namespace generator {
namespace {

/// In the order in which they are written.
constexpr Key kKeys[] = {
    {Part::schema, "name", Part::names, true},
    {Part::schema, "version", Part::version, true},
    {Part::schema, "constants", Part::numbers, false, "{}"},
    {Part::schema, "roots", Part::names, false, "[]"},
    {Part::schema, "types", Part::types, true},
    {Part::schema, "allow", Part::other},
    {Part::version, "major", Part::numbers, true},
    {Part::version, "minor", Part::numbers, true},
    {Part::type, "kind", Part::names, true},
    {Part::type, "cpp_name", Part::other},
    {Part::type, "doc", Part::other, false, "\"\""},
    {Part::type, "fields", Part::fields, true},
    {Part::type, "reserved", Part::reserved, false, "{}"},
    {Part::type, "allow", Part::other},
    {Part::field, "id",
     Part::numbers},  // required, but what is said of it is said with the ids of the others
    {Part::field, "type", Part::field_type, true},
    {Part::field, "default", Part::default_value},
    {Part::field, "boxed", Part::names, false, "false"},
    {Part::field, "states_version", Part::names, false, "false"},
    {Part::field, "since", Part::other},
    {Part::field, "deprecated", Part::other},
    {Part::field, "cpp_name", Part::other},
    {Part::field, "doc", Part::other, false, "\"\""},
    {Part::field, "allow", Part::other},
    {Part::reserved, "ids", Part::ids, false, "[]"},
    {Part::reserved, "names", Part::names, false, "[]"},
    {Part::allowance, "rule", Part::other, true},
    {Part::allowance, "reason", Part::other, true},
};

}  // namespace

const Key* find_key(Part owner, std::string_view name) {
  const Key* const found = std::find_if(std::begin(kKeys), std::end(kKeys), [&](const Key& key) {
    return key.owner == owner && key.name == name;
  });
  return found == std::end(kKeys) ? nullptr : found;
}

std::size_t rank(const Key& key) {
  return static_cast<std::size_t>(&key - kKeys);
}

Names key_names(Part owner, bool only_required) {
  Names names;
  for (const Key& key : kKeys) {
    if (key.owner == owner && (key.is_required || !only_required)) names.push_back(key.name);
  }
  return names;
}

}  // namespace generator
