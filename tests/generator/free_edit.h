#pragma once

#include <string>

#include "model/model.h"
#include "random_schema.h"

namespace schemagen_test {

/// May be invalid until it has been loaded.
struct FreelyEdited {
  generator::Model model;
  std::string edits;
};
FreelyEdited edited_freely(const generator::Model& before, Random& random);

}  // namespace schemagen_test
