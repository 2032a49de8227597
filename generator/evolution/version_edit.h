#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// Only the digits of the version numbers change. Throws std::logic_error if `text` is not the source of
/// `model`.
std::string with_version(const std::string& text, const Model& model, Version version);

}  // namespace generator
