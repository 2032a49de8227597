// Words that a name in C++ cannot be, or should not, as headers have other plans for them: the files of
// cpp_words, which tests/tools/cpp_words_test.py holds to those of the compiler at hand.
#pragma once

#include <string_view>

namespace generator {

/// A macro of the headers of standard C++ and C, or of what they include on Linux, in C++17 and 20.
bool is_macro(std::string_view word);
/// Such a macro that takes arguments: without parentheses behind it, the word is left alone.
bool is_function_macro(std::string_view word);
/// A macro of headers of Windows, X11 or other compilers that programs often include.
bool is_platform_macro(std::string_view word);
/// A function, type or variable that the same headers have in the global namespace.
bool is_global_name(std::string_view word);
/// With two underscores, or with one before an upper-case letter: C++ leaves such names to compilers.
bool is_compilers_name(std::string_view word);

}  // namespace generator
