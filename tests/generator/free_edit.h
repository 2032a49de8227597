// Random edits of any kind, of which nothing is known beforehand.
#pragma once

#include <string>

#include "model/model.h"
#include "random_schema.h"

namespace schemagen_test {

/// The schema after a few random edits of random parts, and their names. The result may not be a valid
/// schema: load it.
struct FreelyEdited {
  generator::Model model;
  std::string edits;
};
FreelyEdited edited_freely(const generator::Model& before, Random& random);

}  // namespace schemagen_test
