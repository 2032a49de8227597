#pragma once

#include <vector>

#include "front/diagnostics.h"
#include "front/yaml.h"
#include "model/model.h"
#include "text/message.h"

namespace generator {

std::vector<Allowance> read_allowances(const YamlNode& owner, const Names& rules, Diagnostics& diagnostics);

}  // namespace generator
