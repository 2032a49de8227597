// Parses declarations in Python: classes, annotated names, assignments and imports. Does not run any code.
#pragma once

#include "import/python_tokens.h"

namespace generator {

struct PythonExpression {
  enum class Kind : std::uint8_t {
    name,
    attribute,  // the object; `text` is the attribute's name
    subscript,  // the object, then each index
    call,       // the function, then each argument
    integer,    // `text` has the digits, and possibly a minus sign
    real,
    string,
    tuple,
    list,
    dict,          // key, value, key, value, ...
    lambda,        // the body
    alternatives,  // A | B | C
    other,         // `-`: the negated expression
  };
  Kind kind = Kind::other;
  std::string text;
  std::vector<PythonExpression> parts;
  std::vector<std::string> keywords;  // call: names of keyword arguments, empty for positional ones
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
  std::size_t last_line = 0;   // of a class: the end of its head
};

struct PythonFile {
  std::vector<PythonStatement> statements;
  PythonComments comments;
};

/// Returns the top-level statements of these kinds, or nullopt after reporting an error: the first in a
/// declaration, an unclosed string, or nesting that is too deep.
std::optional<PythonFile> parse_python(Diagnostics& diagnostics);

/// All spans in the result are `span`.
std::optional<PythonExpression> parse_python_expression(const std::string& text, const Span& span);

}  // namespace generator
