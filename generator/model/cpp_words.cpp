#include "model/cpp_words.h"

#include "model/embedded_files.h"
#include "text/characters.h"
#include "text/message.h"

namespace generator {
namespace {

bool is_macro(std::string_view word) {
  static const Words words = words_of({embedded_files().at("object_macros.txt")});
  // Kernels differ in their system calls. None ends in `_` or `_2`, as names from cpp_names() can.
  const std::size_t last = word.find_last_not_of("0123456789");
  if (word[last] != '_') {
    for (const std::string_view start : {"SYS_", "SCHEMAGEN_", "PT2_WITH_"}) {
      if (word.substr(0, start.size()) == start) return true;
    }
  }
  return words.count(word) != 0 || is_function_macro(word);
}

bool is_compilers_name(std::string_view word) {
  return word.find("__") != std::string_view::npos ||
         (word.size() > 1 && word.front() == '_' && is_upper(word[1]));
}

}  // namespace

bool is_cpp_keyword(std::string_view word) {
  static const Words words = words_of(
      {"alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
       "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
       "constinit continue decltype default delete do double dynamic_cast else enum explicit export extern "
       "false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr "
       "operator or or_eq private protected public register reinterpret_cast requires return short signed "
       "sizeof static static_assert static_cast struct switch template this thread_local throw true try "
       "typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq"});
  return words.count(word) != 0;
}

std::string word_fault(std::string_view word) {
  if (is_cpp_keyword(word)) return quoted(word) + " is a C++ keyword";
  if (is_macro(word)) return quoted(word) + " is a standard library macro";
  return "";
}

std::string platform_fault(std::string_view word) {
  static const Words words = words_of({embedded_files().at("platform_macros.txt")});
  return words.count(word) != 0 ? quoted(word) + " is a macro on some systems" : "";
}

std::string compilers_fault(std::string_view word) {
  return is_compilers_name(word) ? "C++ reserves " + quoted(word) + " for compilers" : "";
}

std::string without_reservation(const std::string& word) {
  if (!is_compilers_name(word)) return word;
  std::string out;
  for (const char c : word) {
    if (c != '_' || out.empty() || out.back() != '_') out += c;
  }
  if (out.size() > 1 && out.back() == '_') out.pop_back();
  if (out.size() > 1 && out.front() == '_' && !is_digit(out[1])) out.erase(0, 1);
  return out;
}

bool is_function_macro(std::string_view word) {
  static const Words words = words_of({embedded_files().at("function_macros.txt")});
  return words.count(word) != 0;
}

bool is_header_name(std::string_view word) {
  static const Words words = words_of({embedded_files().at("header_names.txt")});
  return words.count(word) != 0;
}

bool is_global_name(std::string_view word) {
  static const Words words = words_of({embedded_files().at("global_names.txt")});
  return words.count(word) != 0;
}

}  // namespace generator
