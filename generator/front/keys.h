// The keys of the schema language: what it knows, what `fmt` orders, what editors are told, and what
// schema/README.md lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/near_name.h"

namespace generator {

/// What a part of a schema is. Those before `ids` are maps, which have keys of their own or names of others.
enum class Part : std::uint8_t {
  schema,
  version,
  types,
  type,
  fields,
  field,
  reserved,
  allowance,
  ids,      // a list of numbers, in ascending order
  numbers,  // a map of numbers, or one
  names,    // a list of names, or one
  field_type,
  default_value,
  inner_value,  // in a default
  other,        // text, and what has no layout of its own
};

struct Key {
  Part owner;
  std::string_view name;
  Part part;  // what stands under it; `fields` of an enum are numbers
  bool is_required;
  std::string_view idle;   // as it is written, a value that says what is so without it; empty: none does
  std::string_view doc;    // a sentence, for who writes it
  std::string_view value;  // what may stand under it, as far as JSON Schema can say
  std::string_view example = {};  // of a required key, how it is written, for who has left it out
};

/// The key `name` of `owner`; null: there is none.
const Key* find_key(Part owner, std::string_view name);

/// The place of a key in the order in which they are written.
std::size_t rank(const Key& key);

/// Those of `owner`, in that order.
std::vector<const Key*> keys_of(Part owner);

/// Their names.
Names key_names(Part owner, bool only_required = false);

}  // namespace generator
