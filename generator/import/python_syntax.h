// Parses the parts of Python that declare a schema: classes, annotated names, assignments and imports. Runs
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "front/diagnostics.h"
#include "import/python_tokens.h"
#include "text/source_lines.h"

namespace generator {

struct PythonExpression {
  enum class Kind : std::uint8_t {
    name,
    attribute,  // parts: the object; `text` is the attribute's name
    subscript,  // parts: the object, then each index
    call,       // parts: the function, then each argument
    integer,    // `text`: the digits, with a minus if there is one
    real,
    string,  // `text`: its value
    tuple,
    list,
    dict,          // parts: key, value, key, value, ...
    lambda,        // parts: the body
    alternatives,  // A | B | C; parts: A, B, C
    other,
  };
  Kind kind = Kind::other;
  std::string text;
  std::vector<PythonExpression> parts;
  std::vector<std::string> keywords;  // call: the names of keyword arguments, empty for positional ones
  Span span;

  bool is_name(std::string_view name) const { return kind == Kind::name && text == name; }

  std::string last_name() const;
};

struct PythonStatement {
  enum class Kind : std::uint8_t {
    class_definition,
    annotation,  // NAME: ANNOTATION, optionally with = VALUE
    assignment,  // NAME = VALUE
    names,       // an import or a function
    other,
  };
  Kind kind = Kind::other;
  std::string name;
  std::vector<std::string> names;
  std::vector<PythonExpression> decorators;
  std::vector<PythonExpression> bases;
  std::vector<PythonStatement> body;
  std::optional<PythonExpression> annotation;
  std::optional<PythonExpression> value;
  Span span;                   // of the first token, without decorators
  std::size_t first_line = 0;  // with decorators
  std::size_t last_line = 0;   // of a class, where its head ends
};

/// Returns the top-level statements of these kinds. Returns nullopt after reporting the first error in a
/// declaration, or if the code is nested too deeply.
std::optional<std::vector<PythonStatement>> parse_python(const PythonTokens& tokens,
                                                         Diagnostics& diagnostics);

/// Returns the expression in `text`, or nullopt. All its spans are `span`.
std::optional<PythonExpression> parse_python_expression(const std::string& text, const Span& span);

}  // namespace generator
