// The tokens of a Python source.
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
    string,    // its value in `text`, as UTF-8
    no_value,  // bytes, an f-string, or a string with lone surrogates or names of characters
    sign,      // an operator or a delimiter
    line_end,  // of a logical line
    indent,
    dedent,
    end,
  };
  Kind kind = Kind::end;
  std::string text;
  Span span;
};

struct PythonComment {
  std::string text;       // with the `#`
  std::size_t line = 0;   // from 1
  bool is_alone = false;  // on a line without code
};

struct PythonTokens {
  std::vector<PythonToken> tokens;  // the last one is Kind::end
  std::vector<PythonComment> comments;
};

/// Splits `text` into tokens. Reports the first error, such as a string without an end, and returns nullopt.
/// Spans count from the start of `text`.
std::optional<PythonTokens> python_tokens(const std::string& text, Diagnostics& diagnostics);

}  // namespace generator
