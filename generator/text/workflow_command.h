#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace generator {

using CommandProperty = std::pair<std::string_view, std::string>;

/// Returns `::LEVEL NAME=VALUE,NAME=VALUE::MESSAGE`, escaped. `level` is `error`, `warning` or `notice`.
std::string workflow_command(std::string_view level, const std::vector<CommandProperty>& properties,
                             std::string_view message);

}  // namespace generator
