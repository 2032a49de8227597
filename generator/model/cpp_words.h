// Words that C++ names cannot be, or should not be because headers use them: the files of cpp_words.
// tests/tools/schemagen/cpp_words_test.py compares them with the installed compiler.
#pragma once

#include <string_view>

namespace generator {

/// Of the headers of the C++ and C libraries on Linux, in C++17 or C++20.
bool is_macro(std::string_view word);
bool is_function_macro(std::string_view word);
/// In common headers of Windows, X11 or other compilers.
bool is_platform_macro(std::string_view word);
bool is_global_name(std::string_view word);
/// `word`.h of the C library.
bool is_header_name(std::string_view word);
/// Two underscores, or one before an upper-case letter.
bool is_compilers_name(std::string_view word);

}  // namespace generator
