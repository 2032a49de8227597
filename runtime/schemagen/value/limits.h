// What a document may ask of the machine that reads or writes it.
#pragma once

#include <cstddef>

namespace schemagen {

/// Bounds against hostile or broken input; one set for JSON, binary and archives, for reading and writing.
/// Exceeding one is a DataError that names the limit.
struct Limits {
  std::size_t depth = 256;                         // nested structs, unions, lists and maps, all counted
  std::size_t input_bytes = std::size_t{1} << 30;  // of one document, read or written, decompressed
  std::size_t string_bytes = std::size_t{64} << 20;
  std::size_t container_items = std::size_t{16} << 20;  // of one list or map
  /// What reading one input may take in memory beside the input itself: its decompressed bytes, its parsed
  /// form and the values made of it, all together. It is compared with what is about to be asked for, before
  /// it is asked for; what the allocator adds is not counted. Who makes one stage's result out of another's
  /// passes on what the first one left of it.
  std::size_t memory_bytes = std::size_t{2} << 30;
};

}  // namespace schemagen
