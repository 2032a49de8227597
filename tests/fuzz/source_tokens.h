// The tokens of what the generator writes, as the strictest reader of each language sees them: without
// comments, and literals without their texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Of C++: with trigraphs, with lines that a backslash joins, also before blanks, as compilers do, and with a
/// carriage return, a vertical tab or a form feed as the end of a line. A literal is `"`, a number `0`, a
/// name `a`, a keyword itself. Invalid text is `error`.
std::vector<std::string> cpp_tokens(std::string_view source);

/// Of JSON, DOT and Thrift IDL, whose literals, comments and names look alike: names are themselves.
std::vector<std::string> data_tokens(std::string_view text);

/// Of Python, without indentation.
std::vector<std::string> python_tokens(std::string_view source);

/// Of HTML: the tags and comments, whole, but no text; scripts but for their text, JSON in them by its
/// tokens.
std::vector<std::string> html_tokens(std::string_view page);
