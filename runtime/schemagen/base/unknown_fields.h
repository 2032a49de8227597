// Fields and union members that the reader's schema does not have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schemagen/base/error.h"

namespace schemagen {

/// What to do with a field, or a union member, that the schema does not have.
enum class UnknownFields {
  error,
  skip_empty,  // skip those whose value is null, or an empty list, map, struct or string, as a newer writer's
               // unused additions are
  skip,
  keep,  // collect them as UnknownFields, which writers write back
};

/// Something that was read over, as the options allow.
struct SkippedField {
  std::string path;  // as messages have it: without its middle if it is long
  Place place;
};

/// A step from a value to one in it: to a field, member or entry by its key, or to an item of a list.
struct UnknownFieldStep {
  std::string key;
  std::size_t index = 0;  // of an item
  std::size_t count = 0;  // of the list's items when it was read; 0: the step is by key
};

/// A field of a struct, or the member of a union, that the reader's schema does not have, as it stood in the
/// data. Writers check all of it.
struct UnknownField {
  std::vector<UnknownFieldStep> path;  // to the struct or union that it is in
  bool is_member = false;              // of a union, which is unset in the value

  std::string name;   // in JSON: its key
  std::string after;  // in JSON: the field of the schema that it comes after; empty: before all of them

  std::int16_t id = 0;    // in binary; 0: this is of JSON
  std::uint8_t type = 0;  // in binary: its WireType

  std::string bytes;  // its value: JSON text, or Thrift's compact protocol
};

/// Returns the number of bytes that it takes in memory.
std::size_t memory_of(const UnknownField& field);

/// Returns the path of an unknown field, as in messages: `graph.nodes[3].new_name`, or in binary
/// `graph.nodes[3].#95`.
std::string path_text(const UnknownField& field);

}  // namespace schemagen
