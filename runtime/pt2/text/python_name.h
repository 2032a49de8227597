#pragma once

#include <string_view>

namespace pt2 {

/// ASCII only. Keywords such as `lambda` count, too.
bool is_identifier(std::string_view text);

/// Includes non-ASCII letters that Python reads unchanged (is_nfkc()), and characters that no identifier has:
/// Python rejects source code with them.
bool is_unicode_identifier(std::string_view text);

bool is_keyword(std::string_view text);

/// An identifier other than a keyword, which torch can use for a value in generated code.
bool is_value_name(std::string_view text);

bool is_special_name(std::string_view text);

bool is_plain_path(std::string_view text);

/// No quotes, backslashes or control characters.
bool is_quotable(std::string_view text);

/// Whether torch.fx can safely paste the name of a weight into source code: it leads to that weight only.
///
/// torch pastes parts that str.isidentifier() accepts unchanged, `self.a`, and other parts in double quotes,
/// `getattr(self, "0")` (_format_target in torch/fx/graph.py). So a part must not be
/// * a special name (`__class__`), an attribute of torch.nn.Module (`forward`) or a method of GraphModule
///   (`to_folder`),
///   because the path would lead to that. The first part must not be any attribute of GraphModule (`graph`).
///   register_parameter() rejects such names, so no model has them.
/// * an identifier that Python normalizes (NFKC), because it may become one of those.
/// * in quotes, text that ends them (`"`, a line break, NUL, a trailing backslash), or that escape sequences
///   (`\x5f`)
///   turn into one of the above.
bool is_weight_name(std::string_view text);

/// For the path of a module in `nn_module_stack` and ModuleCallEntry::fqn, which torch.export.unflatten()
/// pastes to call the module. torch adds a module for each part, and Graph.lint() (torch/fx/graph.py)
/// requires each part to be a torch.nn.Module before anything is called. So a path may contain attributes, as
/// torch.export(strict=True) writes them: `layers.0.forward.__closure__.3.cell_contents`.
bool is_module_path(std::string_view text);

/// A value name that is no attribute of GraphModule, for `self.NAME`.
bool is_graph_name(std::string_view text);

}  // namespace pt2
