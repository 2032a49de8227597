#include "text/source_place.h"

#include "text/characters.h"
#include "text/message.h"

namespace generator {
namespace {

void write_span(JsonText& json, const Span& span) {
  if (span.line != 0) json.members("line", span.line, "column", span.column, "length", span.length);
}

}  // namespace

std::string placed_line(const std::string& file, const Span& span, std::string_view label,
                        const std::string& message) {
  std::string out = shown(file);
  if (span.line > 0) out += ':' + std::to_string(span.line) + ':' + std::to_string(span.column);
  return out.append(": ").append(label).append(": ").append(shown(message)).append("\n");
}

void write_place(JsonText& json, const std::string& file, const Span& span) {
  json.object("file", file, [&] { write_span(json, span); });
}

void write_place(JsonText& json, const Span& span) {
  json.object([&] { write_span(json, span); });
}

SarifPlace sarif_place(const std::string& file, const SourceLines& lines, const Span& span) {
  SarifPlace place = {file};
  if (span.line == 0) return place;
  const std::string_view line = lines.line(span.line);
  const std::size_t begin = code_points(line.substr(0, span.column - 1));
  place.line = span.line;
  place.column = begin + 1;
  place.end_column = std::max(begin + 2, code_points(line.substr(0, span.column - 1 + span.length)) + 1);
  return place;
}

std::vector<CommandProperty> command_place(const std::string& file, const Span& span) {
  std::vector<CommandProperty> properties = {{"file", file}};
  if (span.line == 0) return properties;
  properties.emplace_back("line", std::to_string(span.line));
  properties.emplace_back("col", std::to_string(span.column));
  properties.emplace_back("endColumn", std::to_string(span.column + span.length));
  return properties;
}

}  // namespace generator
