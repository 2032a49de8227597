#pragma once

#include <string>

#include "front/diagnostics.h"
#include "front/number_check.h"
#include "front/yaml.h"
#include "model/model.h"

namespace generator {

/// Returns the place of each entry.
Reservations read_reserved(const YamlNode& type, bool is_enum, Definition& definition,
                           Diagnostics& diagnostics);

void check_not_reserved(const YamlNode& name, const std::string& type_name, const Reservations& reserved,
                        Diagnostics& diagnostics);

}  // namespace generator
