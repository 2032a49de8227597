// Makes names and keys from untrusted data printable and short for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schemagen {

/// Returns `text` with escapes (`\n`, `\x1b`, `\u202e`) for everything that is invisible, controls a terminal
/// or is not UTF-8. Characters in `escaped` get a backslash.
std::string printable(std::string_view text, std::string_view escaped = {});

/// Returns printable() of the first `most` bytes, followed by `...` if there are more.
std::string printable_start(std::string_view text, std::string_view escaped = {}, std::size_t most = 100);

/// Returns `text` in single quotes: printable, cut after 100 bytes, with quotes and backslashes escaped.
std::string quoted(std::string_view text);

/// Returns the first five of `names`, quoted, and how many follow: `'a', 'b' and 3 more`.
std::string quoted_list(const std::vector<std::string_view>& names);

/// Returns printable text, such as a path, without its middle if it is longer than 240 bytes.
std::string shortened(std::string text);

}  // namespace schemagen
