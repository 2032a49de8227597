// What the names of a schema are in C++.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "text/source_lines.h"

namespace generator {

/// The name of a thing in C++.
struct CppName {
  std::string name;
  /// Why it is not the schema's name, or, of one that `cpp_name` gives, why it cannot be: "'class' is a
  /// keyword of C++"; empty: it is, or it can.
  std::string reason;
};

/// The names of a schema's things, each list in the model's order.
///
/// One rule: what `cpp_name` says is taken. Any other name stays as it is, unless it is a keyword or a macro,
/// or generated code or another thing beside it has it, or C++ leaves it to compilers; then it gets a `_`,
/// and a number behind that if another thing is called so: `class_`, `class_2`. What makes it a compiler's,
/// each `_` behind another and one at its start, goes first: `A_b_` for `A__b`, `X_` for `_X`.
struct CppNames {
  CppName name_space;  // of the schema, where no other is asked for
  std::vector<CppName> types;
  std::vector<std::vector<CppName>> members;  // by type: fields, members of a union, or members of an enum
  std::vector<CppName> constants;
};
CppNames cpp_names(const Model& model);

/// A thing whose name is another one in C++.
struct CppRename {
  Span span;
  std::string thing;  // 'Note.class'
  CppName cpp;
  bool has_key = false;  // whether `cpp_name` can be written there
};

/// In the order of the model, without those whose `cpp_name` says so.
std::vector<CppRename> cpp_renames(const Model& model);

/// Why a namespace cannot be called so; empty: it can. `is_global`: it stands in no other.
std::string namespace_fault(std::string_view name, bool is_global);

}  // namespace generator
