// Places in a text file, and the lines that messages show of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

/// A place in a text file. Lines and columns count from 1, columns in bytes; line 0 is "no place".
struct Span {
  std::size_t line = 0;
  std::size_t column = 0;
  std::size_t length = 1;
  std::size_t file = 0;  // of a schema's files: 0 is its own, the others are those that it imports
};

/// A text file, and its name as messages give it.
struct SourceText {
  std::string file;
  std::string text;
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

}  // namespace generator
