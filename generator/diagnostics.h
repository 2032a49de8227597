// Messages about a schema, collected so that one run reports all of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schemagen {

/// A place in a text file. Lines and columns count from 1, columns in bytes; line 0 is "no place".
struct Span {
  std::size_t line = 0;
  std::size_t column = 0;
  std::size_t length = 1;
};

enum class Severity { error, warning };

/// A second place that explains a message, e.g. where a name was first used.
struct Note {
  Span span;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  Span span;
  std::string message;  // lower case, no full stop, names in single quotes
  std::vector<Note> notes;
  std::string hint;  // what to do; may be empty
};

/// The source a set of messages is about, and the messages.
/// Each stage adds what it finds; the caller stops between stages, when `has_errors()`.
class Diagnostics {
 public:
  /// `file` is the name as the user gave it, `text` the whole content.
  Diagnostics(std::string file, std::string text);

  void add(Diagnostic diagnostic);
  /// Shorthand for an error without notes.
  void error(Span span, std::string message, std::string hint = {});

  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }

  /// All messages in order of place, each as `file:line:column: error: message`, the source line, a
  /// caret line, its notes in the same form and a `hint:` line.
  std::string render() const;

 private:
  std::string file_;
  std::string text_;
  std::vector<Diagnostic> diagnostics_;
};

/// The lines of a text, found once so that no excerpt costs a search.
class SourceLines {
 public:
  /// `text` must outlive this.
  explicit SourceLines(std::string_view text);

  /// Line `number` (from 1) without its line end; empty beyond the last.
  std::string_view line(std::size_t number) const;

  /// The line at a place, with its number, and a line with a caret under the place.
  std::string excerpt(const Span& span) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

/// `text` with bytes that would disturb a terminal as `?`; the number of bytes stays.
std::string printable(std::string_view text);

/// Length in bytes of the UTF-8 sequence that begins at `text[at]`; 0 if none does: overlong forms,
/// surrogates and values above U+10FFFF are none.
std::size_t utf8_length(std::string_view text, std::size_t at);

}  // namespace schemagen
