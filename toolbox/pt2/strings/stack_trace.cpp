#include "pt2/strings/node_metadata.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "pt2/text/affix.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::string_view kFile = "File \"";
constexpr std::string_view kLine = "\", line ";
constexpr std::string_view kIn = ", in ";
constexpr std::string_view kCodeIndent = "    ";

/// From the end: a file name may contain anything.
std::optional<StackFrame> read_header(std::string_view line) {
  if (starts_with(line, "  ")) line.remove_prefix(2);
  if (!starts_with(line, kFile)) return std::nullopt;
  const std::size_t line_at = line.rfind(kLine);
  if (line_at == line.npos) return std::nullopt;
  const std::string_view rest = line.substr(line_at + kLine.size());
  StackFrame frame;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), frame.line);
  const std::string_view behind = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (error != std::errc() || frame.line < 0 || !starts_with(behind, kIn)) return std::nullopt;
  frame.file = line.substr(kFile.size(), line_at - kFile.size());
  frame.function = behind.substr(kIn.size());
  return frame;
}

}  // namespace

std::vector<StackFrame> parse_stack_trace(std::string_view text) {
  std::vector<StackFrame> frames;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (std::optional<StackFrame> frame = read_header(line)) {
      frames.push_back(*std::move(frame));
    } else if (!frames.empty()) {
      if (!starts_with(line, kCodeIndent)) {
        schemagen::Place place;
        place.offset = at;
        throw schemagen::DataError("expected a stack frame or a line of code indented by four spaces, got " +
                                       schemagen::quoted(line),
                                   {}, place);
      }
      std::string& code = frames.back().code;
      code += (code.empty() ? "" : "\n") + std::string(line.substr(kCodeIndent.size()));
    }
    at = end + 1;
  }
  return frames;
}

}  // namespace pt2
