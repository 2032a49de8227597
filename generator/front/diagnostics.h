// Messages about a schema, collected so that one run reports all of them.
#pragma once

#include <string>
#include <vector>

#include "text/source_lines.h"

namespace generator {

enum class Severity { error, warning, note };

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
  std::string hint;  // advice; may be empty
};

/// Source files and the messages about them. Each stage adds messages; the caller stops between stages if
/// `has_errors()`.
class Diagnostics {
 public:
  /// `file` is the name as the user gave it, `text` the whole content.
  Diagnostics(std::string file, std::string text);

  /// Adds an imported file with its messages. Returns its number in places (Span::file).
  std::size_t add_file(Diagnostics imported);

  void add(Diagnostic diagnostic);
  /// Adds an error without notes.
  void error(Span span, std::string message, std::string hint = {});

  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  const std::string& file() const { return files_.front().file; }
  const std::string& text() const { return files_.front().text; }
  /// The schema's own file, then the added ones, by Span::file.
  const std::vector<SourceText>& files() const { return files_; }
  const std::string& file_of(const Span& span) const { return files_.at(span.file).file; }

  /// Returns all messages by file and place; messages about one place in the order of add().
  std::vector<const Diagnostic*> by_place() const;

  /// Formats all messages by place, each as `file:line:column: error: message`, the source line, a caret
  /// line, its notes in the same form and a `hint:` line.
  std::string render() const;

 private:
  std::vector<SourceText> files_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace generator
