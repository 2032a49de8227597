#include "schemagen/value/union.h"

#include <string>

#include "schemagen/value/error.h"

namespace schemagen {

void wrong_union_member(std::size_t wanted, std::size_t actual) {
  throw UsageError("union member " + std::to_string(wanted) + " was asked for, but " +
                   (actual == 0 ? "none" : "member " + std::to_string(actual)) + " is set");
}

}  // namespace schemagen
