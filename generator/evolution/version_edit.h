// The version in the text of a schema, changed and nothing else.
#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// `text`, the source of `model`, with `version` as its version: only the digits of its two numbers differ,
/// whatever the layout. Comments, line ends and all the rest stay.
/// Errors: none for a text that gives `model`; another one is our own fault (std::logic_error).
std::string with_version(const std::string& text, const Model& model, Version version);

}  // namespace generator
