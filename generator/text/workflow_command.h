// What a log of GitHub's workflows shows beside a file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace generator {

/// A property of a command, as `file` or `title`, and its value.
using CommandProperty = std::pair<std::string_view, std::string>;

/// A line `::LEVEL NAME=VALUE,NAME=VALUE::MESSAGE`, whatever the values and the message hold; a message may
/// have several lines. `level` is `error`, `warning` or `notice`.
std::string workflow_command(std::string_view level, const std::vector<CommandProperty>& properties,
                             std::string_view message);

}  // namespace generator
