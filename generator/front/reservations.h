// Ids and names that a type must never use again.
#pragma once

#include <string>

#include "front/diagnostics.h"
#include "front/number_check.h"
#include "front/yaml.h"
#include "model/model.h"

namespace generator {

/// Reads `reserved` of a type into `definition` and returns it with the place of each entry.
Reservations read_reserved(const YamlNode& type, bool is_enum, Definition& definition,
                           Diagnostics& diagnostics);

/// Reports `name` if `reserved` has it.
void check_not_reserved(const YamlNode& name, const std::string& type_name, const Reservations& reserved,
                        Diagnostics& diagnostics);

}  // namespace generator
