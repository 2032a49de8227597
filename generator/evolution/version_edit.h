#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// Replaces only the digits of the two version numbers. `text` must be the source of `model`; otherwise
/// throws std::logic_error.
std::string with_version(const std::string& text, const Model& model, Version version);

}  // namespace generator
