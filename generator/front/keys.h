// schema/README.md documents the keys.
#pragma once

#include <limits>

#include "front/yaml.h"
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

// In key_values.cpp: the values of keys.

inline constexpr std::int64_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t kMinInt32 = std::numeric_limits<std::int32_t>::min();

const YamlNode* find_value(const YamlNode& map, std::string_view key);

/// Also returns false if the map has a likely misspelling of the key.
bool lacks(const YamlNode& map, std::string_view key, const Names& known);

/// Reports unknown and missing keys. Messages call the map `where`; a missing key is reported at `span`.
void check_keys(const YamlNode& map, Part owner, std::string_view where, Span span, Diagnostics& diagnostics);

std::optional<std::int64_t> read_int_between(const YamlNode& node, std::string_view what, std::int64_t min,
                                             std::int64_t max, Diagnostics& diagnostics);

void read_text(const YamlNode& map, std::string_view key, std::string& into, Diagnostics& diagnostics);

/// The value must not be empty or a word such as `true` or `no`. The message starts with `demand`.
bool check_sentence(const YamlNode& node, const std::string& demand, const std::string& hint,
                    Diagnostics& diagnostics);

bool check_name(const YamlNode& node, std::string_view of_what, Diagnostics& diagnostics);
bool check_identifier(const std::string& name, const YamlNode& node, Diagnostics& diagnostics);

/// Reports keys on the same level as their parent, e.g. `fields` next to the type `Note`, which is valid YAML
/// but not a schema. If there are any, further messages would be misleading.
bool report_keys_beside_theirs(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace generator
