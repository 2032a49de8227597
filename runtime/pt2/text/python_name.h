// Names as Python's grammar has them.
#pragma once

#include <string_view>

namespace pt2 {

/// Whether `text` is an identifier of ASCII letters, digits and underscores. `lambda` is one, too.
bool is_identifier(std::string_view text);

/// The same, with letters beyond ASCII that Python reads as they are (is_nfkc()). Characters that no
/// identifier has pass, too: Python refuses source code that has them.
bool is_unicode_identifier(std::string_view text);

/// `lambda`, `None`: what is spelled as an identifier and cannot be the name of anything.
bool is_keyword(std::string_view text);

/// Whether torch can give a value this name in the code that it makes: an identifier that is no keyword.
bool is_value_name(std::string_view text);

/// Whether `text` is one of the names that Python gives a meaning to, `__class__`.
bool is_special_name(std::string_view text);

/// Whether `text` is identifiers with dots between them, none of them special: `torch.ops.aten.add`.
bool is_plain_path(std::string_view text);

/// Whether `text` can stand in quotes in source code as it is: no quotes, backslashes or control characters.
bool is_quotable(std::string_view text);

/// Whether torch.fx pastes the name of a weight into source code as a path to that weight, and to nothing
/// else.
///
/// Each part between dots that str.isidentifier() accepts is pasted as it is, `self.a`; any other one in
/// double quotes, `getattr(self, "0")` (_format_target, torch/fx/graph.py). So a part must not be
/// * a name that Python gives a meaning to, `__class__`, or that torch.nn.Module has, `forward`, or one of
///   GraphModule's methods, `to_folder`: the path would lead to that. The first part is an attribute of the
///   GraphModule itself, and must not be one of its others either, `graph`. register_parameter() refuses such
///   names, so no model has them.
/// * an identifier that Python normalizes (NFKC): it may become one of those.
/// * in quotes, a text that ends them, `"`, a line break, NUL, a backslash at its end; or one that becomes
/// one
///   of the above by its escape sequences, `\x5f`.
bool is_weight_name(std::string_view text);

/// The same of the path of a module, in `nn_module_stack` and ModuleCallEntry::fqn, which
/// torch.export.unflatten() pastes to call it. torch splits these names and adds the modules that they name;
/// before anything is called, Graph.lint() (torch/fx/graph.py) requires each part to name a torch.nn.Module.
/// So a path may lead through attributes, as those of torch.export(strict=True) do:
/// `layers.0.forward.__closure__.3.cell_contents`.
bool is_module_path(std::string_view text);

/// Whether torch finds the graph that is an argument by this name among the attributes of a GraphModule,
/// where it is pasted as `self.NAME`: a value name that is no attribute that GraphModule has already.
bool is_graph_name(std::string_view text);

}  // namespace pt2
