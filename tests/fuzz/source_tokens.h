// Tokens of generated sources, as the strictest reader of each language sees them, without comments and the
// contents of literals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// C++: with trigraphs, with lines joined by a backslash, also before blanks, and with carriage return,
/// vertical tab and form feed as ends of lines. A literal is `"`, a number `0`, a name `a`, a keyword itself,
/// invalid text `error`.
std::vector<std::string> cpp_tokens(std::string_view source);

/// JSON, DOT and Thrift IDL, whose literals, comments and names look alike. Names are kept.
std::vector<std::string> data_tokens(std::string_view text);

std::vector<std::string> python_tokens(std::string_view source);

/// HTML: whole tags and comments without text; scripts without their text, but JSON in them by its tokens.
std::vector<std::string> html_tokens(std::string_view page);
