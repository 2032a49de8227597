#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// Returns `text` with a different version; only the digits of the version numbers change. Throws
/// std::logic_error if `text` is not the source of `model`.
std::string with_version(const std::string& text, const Model& model, Version version);

}  // namespace generator
