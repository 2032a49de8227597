// Fields and union members that the reader's schema does not have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schemagen/base/error.h"

namespace schemagen {

/// What a reader does with a field or union member that the schema lacks.
enum class UnknownFields {
  error,
  skip_empty,  // skip null and empty lists, maps, structs and strings, which a newer writer added but did not
               // use
  skip,
  keep,  // preserve them as UnknownField, which writers write back
};

/// A field that was skipped because the options allow it.
struct SkippedField {
  std::string path;  // as in messages, which omit the middle of a long path
  Place place;
};

/// One step of a path: to a field, member or map entry by key, or to an item of a list.
struct UnknownFieldStep {
  std::string key;
  std::size_t index = 0;  // of the item
  std::size_t count = 0;  // number of items in the list when it was read; 0 if the step is by key
};

/// A preserved field or union member that the reader's schema lacks. Writers check it completely.
struct UnknownField {
  std::vector<UnknownFieldStep> path;  // to the struct or union that contains it
  bool is_member = false;              // whether it is a union's member; the union is then unset in the value

  std::string name;   // JSON: its key
  std::string after;  // JSON: the known field before it; empty if it comes first

  std::int16_t id = 0;    // binary: its id; 0 if it is from JSON
  std::uint8_t type = 0;  // binary: its WireType

  std::string bytes;  // its value, as JSON text or Thrift Compact
};

/// Returns the number of bytes that the field takes in memory.
std::size_t memory_of(const UnknownField& field);

/// Returns the path of an unknown field as in messages: `graph.nodes[3].new_name`, or with the id, 95,
/// because binary data has no names.
std::string path_text(const UnknownField& field);

}  // namespace schemagen
