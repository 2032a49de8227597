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

StackTrace parse_stack_trace(std::string_view text) {
  StackTrace trace;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (std::optional<StackFrame> frame = read_header(line)) {
      if (trace.frames.empty()) trace.is_stripped = line[0] != ' ';
      trace.frames.push_back(*std::move(frame));
    } else if (trace.frames.empty()) {
      trace.before += text.substr(at, end + 1 - at);
    } else if (starts_with(line, kCodeIndent)) {
      std::string& code = trace.frames.back().code;
      code += (code.empty() ? "" : "\n") + std::string(line.substr(kCodeIndent.size()));
    } else {
      schemagen::Place place;
      place.offset = at;
      throw schemagen::DataError(
          "expected a stack frame or a line of code indented by four spaces, got " + schemagen::quoted(line),
          {}, place);
    }
    at = end + 1;
  }
  return trace;
}

std::string stack_trace_text(const StackTrace& trace) {
  std::string text;
  for (const StackFrame& frame : trace.frames) {
    text += "  ";
    text += kFile;
    text += frame.file;
    text += kLine;
    text += std::to_string(frame.line);
    text += kIn;
    text += frame.function + "\n";
    std::string_view code = frame.code;
    while (!code.empty()) {
      const std::size_t end = std::min(code.find('\n'), code.size());
      text += kCodeIndent;
      text += code.substr(0, end);
      text += '\n';
      code.remove_prefix(std::min(end + 1, code.size()));
    }
  }
  if (trace.is_stripped && !text.empty()) text = text.substr(2, text.size() - 3);
  return trace.before + text;
}

}  // namespace pt2
