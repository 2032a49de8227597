#pragma once

#include <set>

#include "model/model.h"

namespace generator {

struct CppName {
  std::string name;
  /// The reason why the name differs from the schema's or, if `cpp_name` sets it, why it is invalid, e.g.
  /// "'class' is a C++ keyword". Can be empty.
  std::string reason;
};

/// The lists are in the model's order. "Names in C++" in schema/README.md describes the names.
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
