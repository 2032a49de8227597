#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

/// A part of a source. Lines and columns count from 1, and columns count bytes. Line 0 means unknown.
struct Span {
  std::size_t line = 0;
  std::size_t column = 0;
  std::size_t length = 1;
  std::size_t file = 0;  // 0 is the schema's own file; other numbers are imported files
};

/// Returns the lines without their line breaks. A line break at the end does not begin another line.
std::vector<std::string_view> lines_of(std::string_view text);

/// Returns the lines with `mark` and, unless they are empty, a space before each.
std::string commented(std::string_view text, std::string_view mark);

/// Returns the words of the text in lines of at most `width` bytes, if its words are that short. Its own line
/// breaks end lines, too.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

struct SourceText {
  std::string file;
  std::string text;
};

class SourceLines {
 public:
  explicit SourceLines(std::string_view text);

  /// Returns the line with this number, counting from 1, or an empty string after the last line.
  std::string_view line(std::size_t number) const;

  std::size_t count() const { return starts_.size(); }

  /// Returns the offset of the span's beginning, or the end of the text if the span is unknown.
  std::size_t offset(const Span& span) const;
  Span place(std::size_t offset) const;

  /// Returns the line with its number, followed by a line with carets.
  std::string excerpt(const Span& span) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

}  // namespace generator
