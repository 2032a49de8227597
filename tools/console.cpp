#include "console.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "pt2/version/version.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#elif defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace pt2::tool {
namespace {

bool output_is_terminal() {
#if defined(_WIN32)
  return _isatty(_fileno(stdout)) != 0;
#elif defined(__unix__) || defined(__APPLE__)
  return ::isatty(STDOUT_FILENO) != 0;
#else
  return false;
#endif
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

void write_output(std::string_view text) {
#if defined(_WIN32)
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw schemagen::IoError("cannot write to standard output: " +
                             std::generic_category().message(errno != 0 ? errno : EIO));
  }
}

void write_diagnostic(std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

Colours output_colours() {
  if (is_set("NO_COLOR") || !output_is_terminal()) return Colours::none;
  const char* const terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return is_dumb ? Colours::none : Colours::ansi;
}

std::optional<std::string> old_version_text(const std::optional<SchemaVersion>& version) {
  return version ? std::optional(version_text(*version)) : std::nullopt;
}

std::string shown_path(const std::string& path) {
  return path == "-" ? "<stdin>" : schemagen::shortened(schemagen::printable(path));
}

std::string title_of(const std::string& path) {
  return shown_path(path.substr(path.rfind('/') + 1));
}

std::string skipped_warnings(const std::string& path, const std::vector<schemagen::SkippedField>& skipped) {
  std::string text;
  for (const schemagen::SkippedField& field : skipped) {
    text += shown_path(path) + ": warning: " + schemagen::shortened(schemagen::printable(field.path)) +
            ": skipped, as this schema does not have it";
    const std::string where = schemagen::place_text(field.place);
    text += (where.empty() ? "" : " " + where) + "\n";
  }
  return text;
}

}  // namespace pt2::tool
