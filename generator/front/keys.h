// schema/README.md documents the keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/message.h"

namespace generator {

enum class Part : std::uint8_t {
  schema,
  version,
  types,
  type,
  fields,
  field,
  reserved,
  allowance,
  ids,
  numbers,
  names,
  field_type,
  default_value,
  inner_value,
  other,  // strings, and values without a special layout
};

struct Key {
  Part owner;
  std::string_view name;
  Part part;
  bool is_required;
  std::string_view idle;  // the default value as a schema spells it; empty if there is none
  std::string_view doc;
  std::string_view value;  // JSON Schema for the key's values
  std::string_view example = {};
};

const Key* find_key(Part owner, std::string_view name);

std::size_t rank(const Key& key);

std::vector<const Key*> keys_of(Part owner);

Names key_names(Part owner, bool only_required = false);

}  // namespace generator
