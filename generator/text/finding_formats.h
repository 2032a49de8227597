#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace generator {

using SarifProperties = std::vector<std::pair<std::string_view, std::string>>;

/// A rule. Levels, here and below, are `error`, `warning` and `note`.
struct SarifRule {
  std::string_view id;
  std::string_view level;
  std::string_view summary;
  std::string_view explanation;
  std::string_view help;
};

struct SarifPlace {
  std::string file;
  std::vector<std::string> inside{};  // names of logical locations; empty names are omitted
  std::string message{};
  std::size_t line = 0;  // counted from 1; 0 if unknown. Columns count characters, from 1
  std::size_t column = 0;
  std::size_t end_column = 0;
  std::optional<std::size_t> offset{};
};

struct SarifFinding {
  std::string_view rule;
  std::string_view level;
  std::string message;
  SarifPlace place;
  std::vector<SarifPlace> related{};
  std::optional<std::string> allowed{};
  SarifProperties properties{};
};

/// `rules` are all rules that findings can refer to. Strings are UTF-8.
std::string as_sarif(std::string_view tool, std::string_view version, const std::vector<SarifRule>& rules,
                     const std::vector<SarifFinding>& findings, const SarifProperties& properties = {});

using CommandProperty = std::pair<std::string_view, std::string>;

/// Returns `::LEVEL NAME=VALUE,NAME=VALUE::MESSAGE`, escaped. `level` is `error`, `warning` or `notice`.
std::string workflow_command(std::string_view level, const std::vector<CommandProperty>& properties,
                             std::string_view message);

}  // namespace generator
