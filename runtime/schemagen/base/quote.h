// Names and keys from untrusted data in messages: safe to print, and short.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schemagen {

/// `text` as a terminal can show it: what is invisible there, would steer it, or is not UTF-8 becomes an
/// escape (`\n`, `\x1b`, `\u202e`). Characters of `escaped` get a backslash.
std::string printable(std::string_view text, std::string_view escaped = {});

/// As printable(), of at most the first `most` bytes; `...` stands for the rest.
std::string printable_start(std::string_view text, std::string_view escaped = {}, std::size_t most = 100);

/// `text` as messages have it: in single quotes, printable, cut after 100 bytes, its quotes and backslashes
/// escaped.
std::string quoted(std::string_view text);

/// The first five of `names`, quoted, and how many more there are: `'a', 'b' and 3 more`.
std::string quoted_list(const std::vector<std::string_view>& names);

/// Printable text that may be long, as a path: beyond 240 bytes without its middle.
std::string shortened(std::string text);

}  // namespace schemagen
