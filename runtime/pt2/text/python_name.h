#pragma once

#include <string_view>

#include "schemagen/base/ascii.h"

namespace pt2 {

using schemagen::is_identifier;

/// Returns whether `text`, in UTF-8, is its own NFKC form, so that every Python reads such an identifier
/// unchanged. Accepts code points that no identifier has. Returns false for invalid UTF-8, for code points
/// that are unassigned in the table's version of Unicode (nfkc_table.h), and for decomposed Hangul.
bool is_nfkc(std::string_view text);

/// Also accepts non-ASCII letters that Python reads unchanged (is_nfkc()), and characters that no identifier
/// has: Python rejects source code with them.
bool is_unicode_identifier(std::string_view text);

bool is_keyword(std::string_view text);

/// Returns whether torch can use `text` as the name of a value in generated code, i.e. whether it is an
/// identifier other than a keyword and than `self`, which torch.fx does not reserve.
bool is_value_name(std::string_view text);

bool is_special_name(std::string_view text);

bool is_plain_path(std::string_view text);

/// Returns whether `text` has no quotes, backslashes or control characters.
bool is_quotable(std::string_view text);

/// Returns whether torch.fx can safely paste the name of a weight into source code. torch pastes parts that
/// str.isidentifier() accepts unchanged, e.g. `self.a`, and others in double quotes, e.g.
/// `getattr(self, "0")` (_format_target in torch/fx/graph.py). A part must not be
/// * a special name (`__class__`), an attribute of torch.nn.Module or a method of GraphModule; the first part
///   must not be any attribute of GraphModule
/// * an identifier that Python normalizes (NFKC), because it may become one of these
/// * in quotes, text that ends them, or whose escape sequences give one of these
/// The name as a whole must not be `self` in snake case, because torch.fx assigns the weight to it.
bool is_weight_name(std::string_view text);

/// Does the same, for each part, for the path of a module in `nn_module_stack` and ModuleCallEntry::fqn,
/// which torch.export.unflatten() pastes to call the module. Graph.lint() (torch/fx/graph.py) first requires
/// each part to be a torch.nn.Module, so a path can contain attributes, as torch.export(strict=True) writes
/// them, e.g. `layers.0.forward.__closure__.3.cell_contents`.
bool is_module_path(std::string_view text);

/// Returns whether `self.NAME` is safe, i.e. whether NAME is a value name that is not an attribute of
/// GraphModule.
bool is_graph_name(std::string_view text);

}  // namespace pt2
