#pragma once

#include <optional>
#include <string>
#include <string_view>
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
  std::string hint{};
  std::vector<Note> notes{};
};

/// The caller stops between stages if `has_errors()` returns true.
class Diagnostics {
 public:
  /// Drops a byte order mark.
  Diagnostics(std::string file, std::string text);

  /// The file gets the next number for Span::file.
  void add_file(Diagnostics imported);

  void add(Diagnostic diagnostic);
  /// Returns nullopt, for functions that return an optional.
  std::nullopt_t error(Span span, std::string message, std::string hint = {}, std::vector<Note> notes = {});
  /// The same, but returns false, for checks.
  bool refuse(Span span, std::string message, std::string hint = {});

  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  const std::string& file() const { return files_.front().file; }
  const std::string& text() const { return files_.front().text; }
  const std::vector<SourceText>& files() const { return files_; }
  const std::string& file_of(const Span& span) const { return files_.at(span.file).file; }

  /// Sorts by file and place, and then in the order of add().
  std::vector<const Diagnostic*> by_place() const;

  /// Sorts by place. Each diagnostic consists of `file:line:column: error: message`, the source line, a line
  /// with carets, notes in the same form, and a `hint:` line.
  std::string render() const;

 private:
  std::vector<SourceText> files_;
  std::vector<Diagnostic> diagnostics_;
};

/// schema/README.md documents the keys.
std::string diagnostics_as_json(const std::vector<Diagnostics>& files);

std::string diagnostics_as_sarif(const std::vector<Diagnostics>& files, std::string_view version);

std::string diagnostics_as_github(const std::vector<Diagnostics>& files);

}  // namespace generator
