#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "front/diagnostics.h"
#include "text/source_lines.h"

namespace generator {

struct PythonToken {
  enum class Kind : std::uint8_t {
    name,  // or a keyword
    number,
    string,
    no_value,  // bytes, f-strings, and strings with lone surrogates or character names
    sign,
    line_end,
    indent,
    dedent,
    end,
  };
  Kind kind = Kind::end;
  std::string text;
  Span span;
};

struct PythonComment {
  std::string text;
  std::size_t line = 0;
  bool is_alone = false;  // whether the comment is on a line without code
};

struct PythonTokens {
  std::vector<PythonToken> tokens;
  std::vector<PythonComment> comments;
};

/// Returns nullopt after reporting the first error, such as an unclosed string. Spans count from the start of
/// `text`.
std::optional<PythonTokens> python_tokens(const std::string& text, Diagnostics& diagnostics);

/// Skips comments for linters, and separator lines.
class PythonComments {
 public:
  explicit PythonComments(const std::vector<PythonComment>& comments);

  /// Returns the comments directly above line `first`, followed by the comments after code on lines `first`
  /// to `last`.
  std::string of(std::size_t first, std::size_t last) const;

 private:
  std::map<std::size_t, std::string> alone_;
  std::map<std::size_t, std::string> behind_;
};

}  // namespace generator
