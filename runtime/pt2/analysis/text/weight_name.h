// Names of weights and modules. All functions may be called from several threads at once.
#pragma once

#include <string_view>

namespace pt2 {

/// Whether torch can name a weight or module so in the code that it makes: parts with dots between them. A
/// part that is an identifier is pasted as an attribute, so it is neither special (`__class__`) nor a method
/// of GraphModule, and NFKC leaves it as it is. Other parts stay within double quotes.
bool is_weight_name(std::string_view text);

/// The same of a module's path in metadata, which dynamo may have written as an expression: it may lead
/// through attributes of functions, `forward.__closure__.3.cell_contents`.
bool is_module_path(std::string_view text);

}  // namespace pt2
