// Findings for services that collect them: SARIF 2.1.0.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace generator {

/// Names of a SARIF property bag and their values, which are JSON.
using SarifProperties = std::vector<std::pair<std::string_view, std::string>>;

/// What a finding can be of. Levels, here and below, are `error`, `warning` and `note`.
struct SarifRule {
  std::string_view id;
  std::string_view level;
  std::string_view summary;
  std::string_view explanation;
  std::string_view help;  // empty: none
};

struct SarifPlace {
  std::string file;                   // empty: no place
  std::vector<std::string> inside{};  // what it is in the file, by name; the empty ones are left out
  std::string message{};
  std::size_t line = 0;  // 0: none; columns count characters from 1
  std::size_t column = 0;
  std::size_t end_column = 0;           // 0: none
  std::optional<std::size_t> offset{};  // in bytes, where there is no line
};

struct SarifFinding {
  std::string_view rule;  // its id
  std::string_view level;
  std::string message;
  SarifPlace place;
  std::vector<SarifPlace> related{};
  std::optional<std::string> allowed{};  // the reason, where it does not count
  SarifProperties properties{};
};

/// One run of the command `tool` with all `rules` that findings may be of. Texts are UTF-8.
std::string as_sarif(std::string_view tool, std::string_view version, const std::vector<SarifRule>& rules,
                     const std::vector<SarifFinding>& findings, const SarifProperties& properties = {});

}  // namespace generator
