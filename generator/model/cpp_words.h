// The files in cpp_words list names that C++ or common headers use. cpp_words_test.py compares them with the
// installed compiler. The functions with the suffix _fault return why a word must not be used, or an empty
// string.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns whether the word is a keyword in C++ up to C++20, or an alternative token such as `and`.
bool is_cpp_keyword(std::string_view word);

/// The word is a keyword, or a macro of the C++ or C library on Linux in C++17 or C++20, so C++ code cannot
/// use it.
std::string word_fault(std::string_view word);
/// The word is a macro of Windows, X11 or other compilers.
std::string platform_fault(std::string_view word);
/// The word has two underscores in a row, or a leading underscore followed by an upper-case letter.
std::string compilers_fault(std::string_view word);
/// Returns `A_b` for `A__b` and `init` for `__init__`, which have a compilers_fault().
std::string without_reservation(const std::string& word);

/// Returns whether the word is a function-like macro in the libraries that word_fault() covers.
bool is_function_macro(std::string_view word);
bool is_global_name(std::string_view word);
/// Returns whether the C library has a header `word`.h.
bool is_header_name(std::string_view word);

}  // namespace generator
