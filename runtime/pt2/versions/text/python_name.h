// Names as Python's grammar has them. All functions may be called from several threads at once.
#pragma once

#include <string_view>

namespace pt2 {

/// Whether `text` is an identifier of ASCII letters, digits and underscores. `lambda` is one, too.
bool is_identifier(std::string_view text);

/// The same, with any characters beyond ASCII: Python takes the letters among them, and refuses source code
/// that has others.
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

}  // namespace pt2
