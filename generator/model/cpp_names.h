#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "text/source_lines.h"

namespace generator {

struct CppName {
  std::string name;
  /// The reason why the name differs from the schema's or, if `cpp_name` sets it, why it is invalid, e.g.
  /// "'class' is a C++ keyword". Can be empty.
  std::string reason;
};

/// The names in C++, with each list in the model's order. `cpp_name` takes precedence. Other names change
/// only if they are a keyword or a macro, are taken by generated code or something else in scope, or are
/// reserved for compilers. They get a `_`, followed by a number if the result is taken, too, e.g. `class_`
/// and `class_2`. Reserved names first lose each repeated `_` and a leading one, so `A__b` becomes `A_b_` and
/// `_X` becomes `X_`.
struct CppNames {
  CppName name_space;
  std::vector<CppName> types;
  std::vector<std::vector<CppName>> members;
  std::vector<CppName> constants;
};
CppNames cpp_names(const Model& model);

std::set<std::string> names_of_generated_code();

struct CppRename {
  Span span;
  std::string thing;
  CppName cpp;
  bool has_key = false;
};

std::vector<CppRename> cpp_renames(const Model& model);

/// Returns why the name cannot be a namespace, or an empty string if it can. `is_global` is true for a
/// namespace at the top level.
std::string namespace_fault(std::string_view name, bool is_global);

}  // namespace generator
