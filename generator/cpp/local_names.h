// The names that C++ files declare in namespaces, and the local ones among them told apart where files are
// joined.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace generator {

/// What one file declares in namespaces, without members of types.
struct DeclaredNames {
  std::set<std::string> local;   // in unnamed namespaces: every file may have one of its own
  std::set<std::string> shared;  // in named ones
};

/// `source` is C++ that compiles. Limits: of enumerators, and of several variables in one declaration, not
/// all are found.
DeclaredNames declared_names(std::string_view source);

/// `source` with `suffix` behind these names, but for `.name`, `->name` and `other::name`.
std::string with_suffix(std::string_view source, const std::set<std::string>& names, std::string_view suffix);

}  // namespace generator
