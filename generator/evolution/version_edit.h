#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// `text` must be the source of `model`; throws std::logic_error otherwise. Only the digits of the two
/// numbers change.
std::string with_version(const std::string& text, const Model& model, Version version);

}  // namespace generator
