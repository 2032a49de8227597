// As strict as any reader of the language. Omits comments and the contents of literals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// C++ with trigraphs, lines joined by a backslash, even before blanks, and carriage return, vertical tab and
/// form feed as line endings. A literal is `"`, a number `0`, a name `a`, a keyword itself, invalid text
/// `error`.
std::vector<std::string> cpp_tokens(std::string_view source);

/// JSON, DOT and Thrift IDL have similar literals, comments and names. Names are kept.
std::vector<std::string> data_tokens(std::string_view text);

std::vector<std::string> python_tokens(std::string_view source);

/// Whole tags and comments, JSON tokens in scripts, and no other text.
std::vector<std::string> html_tokens(std::string_view page);
