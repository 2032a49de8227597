// What a reader does with parts of the data that its schema does not have. Several threads may read the same
// object at once.
#pragma once

#include <string>

#include "schemagen/value/error.h"

namespace schemagen {

/// What to do with a field, or a union member, that the schema does not have.
enum class UnknownFields {
  error,
  skip_empty,  // skip those whose value is null, or an empty list, map, struct or string, as a newer writer's
               // unused additions are
  skip,
  keep,  // put them beside the value, from where writers put them back, see kept_fields.h
};

/// Something that was read over, as the options allow.
struct SkippedField {
  std::string path;  // as messages have it: without its middle if it is long
  Place place;
};

}  // namespace schemagen
