// Spells paths as in messages: `graph.nodes[3].metadata["a key"]`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schemagen {

/// Appends a key: printable, cut, and in `[""]` unless it is an identifier.
void append_key(std::string& path, std::string_view key);

void append_index(std::string& path, std::size_t index);

/// Appends a field with an unknown name: `#95`.
void append_id(std::string& path, std::int32_t id);

}  // namespace schemagen
