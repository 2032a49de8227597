// Edits the version in the text of a schema.
#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// Returns `text`, the source of `model`, with `version`. Only the digits of the two numbers change.
/// Throws std::logic_error if `text` is not the source of `model`.
std::string with_version(const std::string& text, const Model& model, Version version);

}  // namespace generator
