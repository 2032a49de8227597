#pragma once

#include <string>

#include "model/model.h"

namespace generator {

inline std::string description(const Field& field) {
  std::string text = field.doc;
  const auto add = [&](const std::string& sentence) { text += (text.empty() ? "" : "\n") + sentence; };
  if (!field.since.empty()) add("Since " + field.since + ".");
  if (!field.deprecated.empty()) add("Deprecated: " + field.deprecated);
  return text;
}

}  // namespace generator
