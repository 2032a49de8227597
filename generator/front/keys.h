// Used by `check`, `fmt` and editors; schema/README.md lists the keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/near_name.h"

namespace generator {

/// Those before `ids` are maps.
enum class Part : std::uint8_t {
  schema,
  version,
  types,
  type,
  fields,
  field,
  reserved,
  allowance,
  ids,      // a list of numbers, ascending
  numbers,  // a number or a map of numbers
  names,    // a name or a list of names
  field_type,
  default_value,
  inner_value,  // inside a default
  other,        // text, and values without a special layout
};

struct Key {
  Part owner;
  std::string_view name;
  Part part;  // its value; `fields` of an enum are numbers
  bool is_required;
  std::string_view idle;          // the written form of the default value; may be empty
  std::string_view doc;           // one sentence for authors
  std::string_view value;         // its values, as JSON Schema
  std::string_view example = {};  // of a required key, for hints
};

/// null if there is none
const Key* find_key(Part owner, std::string_view name);

/// In the canonical order.
std::size_t rank(const Key& key);

std::vector<const Key*> keys_of(Part owner);

Names key_names(Part owner, bool only_required = false);

}  // namespace generator
