// Collects messages, so one run reports all of them.
#pragma once

#include <string>
#include <vector>

#include "text/source_lines.h"

namespace generator {

enum class Severity { error, warning, note };

struct Note {
  Span span;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  Span span;
  std::string message;  // lower case, no full stop, names in single quotes
  std::vector<Note> notes;
  std::string hint;
};

/// Each stage adds messages; the caller stops between stages if `has_errors()`.
class Diagnostics {
 public:
  Diagnostics(std::string file, std::string text);

  /// Adds a file and returns its number, which Span::file refers to.
  std::size_t add_file(Diagnostics imported);

  void add(Diagnostic diagnostic);
  void error(Span span, std::string message, std::string hint = {});

  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  const std::string& file() const { return files_.front().file; }
  const std::string& text() const { return files_.front().text; }
  const std::vector<SourceText>& files() const { return files_; }
  const std::string& file_of(const Span& span) const { return files_.at(span.file).file; }

  /// Returns the messages sorted by file and place, then in the order of add().
  std::vector<const Diagnostic*> by_place() const;

  /// Returns the messages sorted by place, each as `file:line:column: error: message`, the source line, a
  /// caret line, notes in the same form and a `hint:` line.
  std::string render() const;

 private:
  std::vector<SourceText> files_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace generator
