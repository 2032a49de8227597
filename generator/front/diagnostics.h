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

/// Collects errors. The caller stops between stages if `has_errors()` returns true.
class Diagnostics {
 public:
  Diagnostics(std::string file, std::string text);

  /// Adds an imported file. Returns its number for Span::file.
  std::size_t add_file(Diagnostics imported);

  void add(Diagnostic diagnostic);
  void error(Span span, std::string message, std::string hint = {});

  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  const std::string& file() const { return files_.front().file; }
  const std::string& text() const { return files_.front().text; }
  const std::vector<SourceText>& files() const { return files_; }
  const std::string& file_of(const Span& span) const { return files_.at(span.file).file; }

  /// Returns the diagnostics sorted by file and place, and then in the order of add().
  std::vector<const Diagnostic*> by_place() const;

  /// Returns the diagnostics as text, sorted by place. Each consists of `file:line:column: error: message`,
  /// the source line, a line with carets, notes in the same form, and a `hint:` line.
  std::string render() const;

 private:
  std::vector<SourceText> files_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace generator
