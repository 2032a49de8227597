// The files in cpp_words list names that C++ or common headers use. cpp_words_test.py compares them with the
// installed compiler. The functions return why not to use a word, or an empty string.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// A keyword, or a macro of the C++ and C libraries on Linux in C++17 or C++20: C++ cannot use the name.
std::string word_fault(std::string_view word);
/// A macro of Windows, X11 or other compilers.
std::string platform_fault(std::string_view word);
/// Two underscores in a row, or a leading one with an upper-case letter.
std::string compilers_fault(std::string_view word);
/// Returns `A_b` for `A__b` and `init` for `__init__`, which have a compilers_fault().
std::string without_reservation(const std::string& word);

/// In the headers of word_fault().
bool is_function_macro(std::string_view word);
bool is_global_name(std::string_view word);
/// The C library has `word`.h.
bool is_header_name(std::string_view word);

}  // namespace generator
