#pragma once

#include <cstddef>
#include <vector>

#include "front/yaml.h"
#include "model/model.h"
#include "schemagen/base/limits.h"

namespace generator {

/// There is a limit because nested defaults of structs multiply. Each default has at most
/// schemagen::kMostDefaultLevels levels.
inline constexpr std::size_t kMaxDefaultValues = schemagen::kMostDefaultItems;

struct UnreadDefault {
  std::size_t type = 0;   // index into Model::types
  std::size_t field = 0;  // of a struct
  const YamlNode* value = nullptr;
};

/// Sets `fallback` of the fields, all of which must already have some. A struct's default contains only the
/// fields that the schema writes; complete_defaults() adds the others. For `usable`, see check_model().
void read_defaults(const std::vector<UnreadDefault>& defaults, const std::vector<bool>& usable, Model& model,
                   Diagnostics& diagnostics);

/// Adds the fields that defaults of structs omit. Reports a default if its type can contain the struct that
/// declares the field, and defaults with too many values or levels.
void complete_defaults(Model& model, Diagnostics& diagnostics);

}  // namespace generator
