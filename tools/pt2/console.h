// Standard output and standard error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/strings/node_text.h"
#include "pt2/types.h"
#include "schemagen/json/json.h"

namespace pt2::tool {

/// Writes all of `bytes` to standard output, at once and as they are: what is for programs to read.
/// Errors: IoError.
void write_output(std::string_view bytes);

/// Writes lines of text for people to standard output. Names in it come from files, and must not steer a
/// terminal: printable() holds for all but the ends of lines and, with Colours::ansi, colours.
/// Errors: IoError.
void write_text(std::string_view text, Colours colours = Colours::none);

/// Writes lines of text to standard error, of which printable() holds as well; where that cannot be done
/// there is nobody to tell.
void write_diagnostic(std::string_view text);

/// Colours for standard output: none if it is no terminal, or the user wishes none (https://no-color.org).
Colours output_colours();

/// How a FILE argument is called in messages: `-` is `<stdin>`, a long path is without its middle.
std::string shown_path(const std::string& path);

/// What a page or graph of FILE is called: the last part of its path.
std::string title_of(const std::string& path);

/// `written by schema 8.21, this reads 8.20`
std::string newer_text(const SchemaVersion& written_by);

/// One line for each field that was skipped of a newer schema, `FILE: warning: ...`.
std::string skipped_warnings(const std::string& path, const std::vector<schemagen::SkippedField>& skipped,
                             const SchemaVersion& written_by);

}  // namespace pt2::tool
