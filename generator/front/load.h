#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "front/source_file.h"
#include "model/model.h"
#include "text/message.h"

namespace generator {

std::optional<Model> load_model(Diagnostics& diagnostics, const Names& rules,
                                const SchemaFiles& files = files_on_disk());

}  // namespace generator
