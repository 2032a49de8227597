// What a reader keeps of data whose schema is newer than its own, for the writer to put back. Several threads
// may read the same object at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace schemagen {

/// A step from a value to one in it: to a field, member or entry by its key, or to an item of a list.
struct KeptStep {
  std::string key;
  std::size_t index = 0;  // of an item
  std::size_t count = 0;  // of the list's items when it was read; 0: the step is by key
};

/// A field of a struct, or the member of a union, that the reader's schema does not have, as it stood in the
/// data. Writers check all of it.
struct KeptField {
  std::vector<KeptStep> path;  // to the struct or union that it is in
  bool is_member = false;      // of a union, which is unset in the value

  std::string name;   // in JSON: its key
  std::string after;  // in JSON: the field of the schema that it comes after; empty: before all of them

  std::int16_t id = 0;    // in binary; 0: this is of JSON
  std::uint8_t type = 0;  // in binary: its WireType

  std::string bytes;  // its value: JSON text, or Thrift's compact protocol
};

/// What it takes in memory.
std::size_t memory_of(const KeptField& field);

/// The path of a kept field, as messages have it: `graph.nodes[3].new_name`; in binary `graph.nodes[3].#95`.
std::string path_text(const KeptField& field);

}  // namespace schemagen
