#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

/// From 1, columns in bytes; line 0 means unknown.
struct Span {
  std::size_t line = 0;
  std::size_t column = 0;
  std::size_t length = 1;
  std::size_t file = 0;  // 0 is the schema's own file, others are imported
};

/// One byte.
Span span_at(std::string_view text, std::size_t offset);

struct SourceText {
  std::string file;
  std::string text;
};

class SourceLines {
 public:
  explicit SourceLines(std::string_view text);

  /// From 1; empty after the last.
  std::string_view line(std::size_t number) const;

  /// With the line's number, and a caret line.
  std::string excerpt(const Span& span) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

}  // namespace generator
