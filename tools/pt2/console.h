#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/notices.h"
#include "pt2/strings/node_text.h"

namespace pt2::tool {

void write_output(std::string_view bytes);

/// Writes text, which must be printable(), because names from files must not control the terminal. Line ends
/// and, with Colours::ansi, colors are allowed. Throws IoError.
void write_text(std::string_view text, Colours colours = Colours::none);

/// Writes a message, which must be printable(). Ignores errors because there is nowhere to report them.
void write_diagnostic(std::string_view text);

/// Returns whether to use colors: only on terminals, unless the user declines (https://no-color.org).
Colours output_colours();

/// Returns a path for display: `<stdin>` for `-`, and long paths without their middle.
std::string shown_path(const std::string& path);

std::string title_of(const std::string& path);

/// Returns `FILE: NOTICE` as a line for each notice.
std::string notice_lines(const std::string& path, const std::vector<std::string>& notices);

/// Returns a function that writes notices about the file `path` as diagnostics.
NoticeSink notice_printer(const std::string& path);

}  // namespace pt2::tool
