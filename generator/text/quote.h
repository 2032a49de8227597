// Other people's text in messages.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// `text` in single quotes, printable, and shortened if it is long: for messages.
std::string quote(std::string_view text);

/// A whole message, or the name of a file in one: printable, and cut where it is longer than anybody reads.
std::string shown(std::string_view text);

/// `text` with bytes that would disturb a terminal as `?`; the number of bytes stays.
std::string printable(std::string_view text);

}  // namespace generator
