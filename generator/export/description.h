// What a field says of itself, as one text.
#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// Its doc, since when it is there, and why it is deprecated: a line or more for each.
inline std::string description(const Field& field) {
  std::string text = field.doc;
  const auto add = [&](const std::string& sentence) { text += (text.empty() ? "" : "\n") + sentence; };
  if (!field.since.empty()) add("Since " + field.since + ".");
  if (!field.deprecated.empty()) add("Deprecated: " + field.deprecated);
  return text;
}

}  // namespace generator
