// How values are read from bytes and written to them, and what the reader reports. Several
// threads may read the same object at once.
#pragma once

#include <vector>

#include "schemagen/value/kept_fields.h"
#include "schemagen/value/left_out.h"
#include "schemagen/value/limits.h"
#include "schemagen/value/unknown_fields.h"

namespace schemagen {

/// Order of the eight bytes of a double. Apache Thrift writes little-endian ones, fbthrift big-endian ones;
/// the payload does not tell which.
enum class DoubleOrder { little_endian, big_endian };

struct BinaryWriteOptions {
  Limits limits;
  /// Sorts the entries of maps by the bytes of their keys, so that equal values have equal bytes; without it
  /// they keep their order.
  bool canonical = false;
  /// What is put back into the value, which a reader kept of its payload; null: nothing. See
  /// BinaryReadOptions::kept. It goes between the fields by its id, with the bytes that it had.
  const std::vector<KeptField>* kept = nullptr;
};

/// How a payload is read. By default everything that means the same is taken: fields in any order, long forms
/// where short ones would do, integers narrower than the schema's.
struct BinaryReadOptions {
  Limits limits;
  UnknownFields unknown_fields = UnknownFields::error;
  /// Takes only the bytes that a canonical writer would have written for the value.
  bool canonical_check = false;
  DoubleOrder doubles = DoubleOrder::little_endian;
  /// Fields whose values are passed over and stay at their defaults. They must still be there where they are
  /// required; in them only the form of Thrift's values is checked.
  std::vector<FieldName> leave_out;
  /// Gets those fields of `leave_out` that the payload has, if it is set; nothing if reading fails.
  std::vector<FieldName>* left_out = nullptr;
  /// Gets what was skipped, if it is set.
  std::vector<SkippedField>* skipped = nullptr;
  /// Gets what UnknownFields::keep keeps, which needs it, in the order of the payload; nothing if reading
  /// fails. The members of unions that are kept leave these unset. Big-endian doubles are turned around.
  std::vector<KeptField>* kept = nullptr;
};

}  // namespace schemagen
