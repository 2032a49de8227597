// What a document may ask of the machine that reads or writes it.
#pragma once

#include <cstddef>

namespace schemagen {

/// Bounds against hostile or broken input; one set for JSON, binary and archives.
/// Exceeding one is a DataError that names the limit.
struct Limits {
  std::size_t depth = 256;                         // nested structs, unions, lists and maps, all counted
  std::size_t input_bytes = std::size_t{1} << 30;  // one document
  std::size_t string_bytes = std::size_t{64} << 20;
  std::size_t container_items = std::size_t{16} << 20;  // of one list or map
};

}  // namespace schemagen
