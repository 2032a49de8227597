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
  std::string text;       // empty for linters and separator lines
  bool is_alone = false;  // whether the comment is on a line without code
};
using PythonComments = std::map<std::size_t, PythonComment>;  // by line

struct PythonTokens {
  std::vector<PythonToken> tokens;
  PythonComments comments;
};

/// Returns nullopt after reporting the first error, such as an unclosed string. Spans count from the start of
/// `text`.
std::optional<PythonTokens> python_tokens(const std::string& text, Diagnostics& diagnostics);

/// Returns the comments directly above line `first`, followed by the comments after code on lines `first` to
/// `last`.
std::string doc_of(const PythonComments& comments, std::size_t first, std::size_t last);

}  // namespace generator
