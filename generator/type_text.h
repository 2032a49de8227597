// Types as the schema language spells them.
#pragma once

#include <string>

#include "model.h"

namespace schemagen {

/// `type` as in a schema: "List[int]", "Dict[str, Node]", "Optional[Device]", "Tuple[()]".
std::string type_text(const Model& model, const Type& type);

}  // namespace schemagen
