// Makes names and keys from untrusted data printable and short enough for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schemagen {

/// Returns `text` with escapes (e.g. `\n`, `\x1b`, `\u202e`) in place of everything that is invisible,
/// controls a terminal or is not UTF-8. Characters in `escaped` get a backslash.
std::string printable(std::string_view text, std::string_view escaped = {});

/// Returns printable() of the first `most` bytes of `text`, followed by `...` if there are more.
std::string printable_start(std::string_view text, std::string_view escaped = {}, std::size_t most = 100);

/// Returns `text` in single quotes. The text is made printable and truncated to 100 bytes, and its quotes and
/// backslashes are escaped.
std::string quoted(std::string_view text);

/// Returns up to five of `names`, quoted, and then the number of remaining names, e.g.
/// `'a', 'b', 'c', 'd', 'e' and 3 more`.
std::string quoted_list(const std::vector<std::string_view>& names);

/// Returns `text` (e.g. a path), shortened in the middle if it is longer than 240 bytes. `text` must be
/// printable.
std::string shortened(std::string text);

}  // namespace schemagen
