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

/// What a command prints, for a caller in the same process.
struct Printed {
  std::string output;
  std::string diagnostics;
};

/// While it lives, what this thread prints goes to `printed`, and reported() passes errors on.
class CapturedConsole {
 public:
  explicit CapturedConsole(Printed& printed);
  CapturedConsole(const CapturedConsole&) = delete;
  CapturedConsole& operator=(const CapturedConsole&) = delete;
  ~CapturedConsole();
};

/// Returns whether a CapturedConsole lives on this thread.
bool is_captured() noexcept;

/// Writes `bytes` for programs to standard output, unchanged. Throws IoError.
void write_output(std::string_view bytes);

/// Writes text for people to standard output. It must be printable() except for line ends and, with
/// Colours::ansi, colours: names from files must not control the terminal. Throws IoError.
void write_text(std::string_view text, Colours colours = Colours::none);

/// Writes printable() lines to standard error. Ignores errors, because there is nowhere to report them.
void write_diagnostic(std::string_view text);

/// Returns the colours for standard output: none if it is not a terminal, or the user declines them
/// (https://no-color.org).
Colours output_colours();

/// Returns the name of a FILE argument in messages: `<stdin>` for `-`; long paths lose their middle.
std::string shown_path(const std::string& path);

/// Returns the title of pages and graphs of FILE: the last part of its path.
std::string title_of(const std::string& path);

/// Returns `written by schema 8.21, this reads 8.20`.
std::string newer_text(const SchemaVersion& written_by);

/// Returns a line `FILE: warning: ...` for each skipped field of a newer schema.
std::string skipped_warnings(const std::string& path, const std::vector<schemagen::SkippedField>& skipped,
                             const SchemaVersion& written_by);

}  // namespace pt2::tool
