// Words that C++ names cannot be, or should not be because headers use them; see the files in cpp_words.
// tests/tools/schemagen/cpp_words_test.py compares them with the installed compiler.
#pragma once

#include <string_view>

namespace generator {

/// Return whether the headers of the C++ and C libraries on Linux define the macro, in C++17 or C++20.
bool is_macro(std::string_view word);
bool is_function_macro(std::string_view word);
/// Returns whether common headers of Windows, X11 or other compilers define the macro.
bool is_platform_macro(std::string_view word);
bool is_global_name(std::string_view word);
/// Returns whether the C library has a header `word`.h.
bool is_header_name(std::string_view word);
/// Returns whether it has two underscores in a row, or begins with one before an upper-case letter.
bool is_compilers_name(std::string_view word);

}  // namespace generator
