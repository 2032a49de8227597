// Words that cannot be C++ names, or should not be because headers use them; see the files in cpp_words.
// tests/tools/schemagen/cpp_words_test.py compares them with the installed compiler.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns why C++ cannot use `word` as a name, or an empty string if it can. The reason is that it is a
/// keyword, or that the headers of the C++ and C libraries on Linux define it as a macro, in C++17 or C++20.
std::string word_fault(std::string_view word);
/// Returns the same for macros that common headers of Windows, X11 or other compilers define.
std::string platform_fault(std::string_view word);
/// Returns the same for names that contain two underscores in a row, or that begin with an underscore and an
/// upper-case letter.
std::string compilers_fault(std::string_view word);
/// Returns a name without a compilers_fault(): `A_b` for `A__b`, `init` for `__init__`, and `word` itself if
/// it has none.
std::string without_reservation(const std::string& word);

/// Returns whether the headers of word_fault() define a macro with parameters.
bool is_function_macro(std::string_view word);
bool is_global_name(std::string_view word);
/// Returns whether the C library has a header `word`.h.
bool is_header_name(std::string_view word);

}  // namespace generator
