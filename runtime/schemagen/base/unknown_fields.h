// Describes fields and union members that the reader's schema lacks.
#pragma once

#include <cstdint>
#include <vector>

#include "schemagen/base/error.h"

namespace schemagen {

/// How a reader treats a field or union member that the schema lacks.
enum class UnknownFields {
  error,
  // Skips nulls and empty lists, maps, structs and strings: a newer writer's schema has the field, but the
  // writer did not use it.
  skip_empty,
  skip,
  keep,  // preserves each field as an UnknownField, which writers write back
};

/// A field that was skipped because the options allow this.
struct SkippedField {
  std::string path;  // the path as in messages, which omit the middle of a long path
  Place place;
};

/// One step of a path: either a key (to a field, union member or map entry) or an index (to an item of a
/// list).
struct UnknownFieldStep {
  std::string key;
  std::size_t index = 0;  // index of the item, if the step is by index
  std::size_t count = 0;  // number of items in the list when it was read; 0 if the step is by key
};

/// A preserved field or union member that the reader's schema lacks. Writers check all of its contents.
struct UnknownField {
  std::vector<UnknownFieldStep> path;  // steps to the struct or union that contains the field
  bool is_member = false;  // whether this is a member of a union; the union is then unset in the value

  std::string name;   // JSON: the field's key
  std::string after;  // JSON: name of the known field that precedes it; empty if it comes first

  std::int16_t id = 0;    // binary: the field's id; 0 if the field comes from JSON
  std::uint8_t type = 0;  // binary: the WireType of its value

  std::string bytes;  // the field's value, as JSON text or Thrift Compact
};

/// Returns the number of bytes that the field takes in memory.
std::size_t memory_of(const UnknownField& field);

/// Returns the path of an unknown field in the form used in messages, e.g. `graph.nodes[3].new_name`. Binary
/// data has no names, so its fields appear by id, e.g. `graph.#95`.
std::string path_text(const UnknownField& field);

}  // namespace schemagen
