#pragma once

#include <cstdint>
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

}  // namespace generator
