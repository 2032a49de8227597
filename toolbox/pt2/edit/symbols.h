#pragma once

#include <string>
#include <string_view>

#include "pt2/strings/expression_value.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

schemagen::Map<bool> symbols_of(const ExportedProgram& program);

void require_symbols(const ExportedProgram& program, const Bindings& bindings);

std::string take_symbol(std::string_view wanted, schemagen::Map<bool>& taken);

}  // namespace pt2
