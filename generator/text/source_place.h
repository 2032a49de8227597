// A place in a text file, as each kind of findings writes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/json_text.h"
#include "text/sarif.h"
#include "text/source_lines.h"
#include "text/workflow_command.h"

namespace generator {

/// For people: a line `file:line:column: label: message`.
std::string placed_line(const std::string& file, const Span& span, std::string_view label,
                        const std::string& message);

/// For programs: an object of `file` and, where there is a line, `line`, `column` and `length`.
void write_place(JsonText& json, const std::string& file, const Span& span);
/// The same of the one file that is meant, without `file`.
void write_place(JsonText& json, const Span& span);

/// For SARIF, whose viewers count characters; `lines` are those of the file.
SarifPlace sarif_place(const std::string& file, const SourceLines& lines, const Span& span);

/// For GitHub's log.
std::vector<CommandProperty> command_place(const std::string& file, const Span& span);

}  // namespace generator
