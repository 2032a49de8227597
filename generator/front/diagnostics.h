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
  std::string hint;  // what to do; may be empty
};

/// The sources a set of messages is about, and the messages.
/// Each stage adds what it finds; the caller stops between stages, when `has_errors()`.
class Diagnostics {
 public:
  /// `file` is the name as the user gave it, `text` the whole content.
  Diagnostics(std::string file, std::string text);

  /// Takes over a file that is imported, with its messages. Gives the number that its places (Span::file)
  /// have.
  std::size_t add_file(Diagnostics imported);

  void add(Diagnostic diagnostic);
  /// Shorthand for an error without notes.
  void error(Span span, std::string message, std::string hint = {});

  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  const std::string& file() const { return files_.front().file; }
  const std::string& text() const { return files_.front().text; }
  /// The schema's own file, then those that were added: by Span::file.
  const std::vector<SourceText>& files() const { return files_; }
  const std::string& file_of(const Span& span) const { return files_.at(span.file).file; }

  /// All messages in order of file and place; those about one place in the order in which they were found.
  std::vector<const Diagnostic*> by_place() const;

  /// All messages in order of place, each as `file:line:column: error: message`, the source line, a
  /// caret line, its notes in the same form and a `hint:` line.
  std::string render() const;

 private:
  std::vector<SourceText> files_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace generator
