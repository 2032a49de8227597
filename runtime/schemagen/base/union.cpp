#include "schemagen/base/union.h"

#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace schemagen {

void wrong_union_member(std::string_view wanted, std::string_view actual) {
  throw UsageError("expected " + (wanted.empty() ? "a union member" : "union member " + quoted(wanted)) +
                   ", but " + (actual.empty() ? "none" : quoted(actual)) + " is set");
}

}  // namespace schemagen
