// Commands in the log of a GitHub workflow, which are shown next to files.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace generator {

/// A property such as `file` or `title`, and its value.
using CommandProperty = std::pair<std::string_view, std::string>;

/// Returns a line `::LEVEL NAME=VALUE,NAME=VALUE::MESSAGE`, with escaped values and message, which may have
/// several lines. `level` is `error`, `warning` or `notice`.
std::string workflow_command(std::string_view level, const std::vector<CommandProperty>& properties,
                             std::string_view message);

}  // namespace generator
