#pragma once

#include "text/finding_formats.h"
#include "text/json_text.h"
#include "text/source_lines.h"

namespace generator {

/// Returns `file:line:column: label: message`.
std::string placed_line(const std::string& file, const Span& span, std::string_view label,
                        const std::string& message);

/// Writes `file` and, if known, `line`, `column` and `length`.
void write_place(JsonText& json, const std::string& file, const Span& span);
void write_place(JsonText& json, const Span& span);

/// SARIF counts characters.
SarifPlace sarif_place(const std::string& file, const SourceLines& lines, const Span& span);

std::vector<CommandProperty> command_place(const std::string& file, const Span& span);

}  // namespace generator
