#include "console.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "schemagen/base/quote.h"

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

std::size_t colour_size(std::string_view text) {
  constexpr std::string_view kStart = "\x1b[";
  if (text.substr(0, kStart.size()) != kStart) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", kStart.size());
  return end != text.npos && text[end] == 'm' ? end + 1 : 0;
}

std::string printable_lines(std::string_view text, Colours colours) {
  const auto may_be_kept = [](char c) { return c == '\n' || c == '\x1b'; };
  std::string out;
  while (!text.empty()) {
    const auto end =
        static_cast<std::size_t>(std::find_if(text.begin(), text.end(), may_be_kept) - text.begin());
    out += schemagen::printable(text.substr(0, end));
    text.remove_prefix(end);
    if (text.empty()) break;
    const std::size_t colour = colours == Colours::ansi ? colour_size(text) : 0;
    out += text.front() == '\n' || colour != 0 ? text.substr(0, std::max<std::size_t>(colour, 1)) : "\\x1b";
    text.remove_prefix(std::max<std::size_t>(colour, 1));
  }
  return out;
}

}  // namespace

void write_output(std::string_view bytes) {
#if defined(_WIN32)
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0) {
    throw schemagen::IoError("cannot write to standard output: " +
                             std::generic_category().message(errno != 0 ? errno : EIO));
  }
}

void write_text(std::string_view text, Colours colours) {
  write_output(printable_lines(text, colours));
}

void write_diagnostic(std::string_view text) {
  const std::string shown = printable_lines(text, Colours::none);
  static_cast<void>(std::fwrite(shown.data(), 1, shown.size(), stderr));
}

Colours output_colours() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  const bool are_wanted = variable("NO_COLOR").empty() && output_is_terminal() && variable("TERM") != "dumb";
  return are_wanted ? Colours::ansi : Colours::none;
}

std::string shown_path(const std::string& path) {
  return path == "-" ? "<stdin>" : schemagen::shortened(schemagen::printable(path));
}

std::string title_of(const std::string& path) {
  return shown_path(path.substr(path.rfind('/') + 1));
}

std::string notice_lines(const std::string& path, const std::vector<std::string>& notices) {
  std::string text;
  for (const std::string& notice : notices) text += shown_path(path) + ": " + notice + "\n";
  return text;
}

NoticeSink notice_printer(const std::string& path) {
  return [path](const std::string& notice) { write_diagnostic(notice_lines(path, {notice})); };
}

}  // namespace pt2::tool
