#include "text/workflow_command.h"

#include "text/uri.h"

namespace generator {
namespace {

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    out += special.find(c) == std::string_view::npos ? std::string(1, c) : percent_escape(c);
  }
  return out;
}

constexpr std::string_view kEndsMessage = "%\r\n";
constexpr std::string_view kEndsProperty = "%\r\n:,";

}  // namespace

std::string workflow_command(std::string_view level, const std::vector<CommandProperty>& properties,
                             std::string_view message) {
  std::string out = "::" + std::string(level);
  char separator = ' ';
  for (const auto& [name, value] : properties) {
    out.append(1, separator).append(name).append("=").append(escaped(value, kEndsProperty));
    separator = ',';
  }
  return out + "::" + escaped(message, kEndsMessage) + "\n";
}

}  // namespace generator
