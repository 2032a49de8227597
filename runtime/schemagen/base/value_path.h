// Spells paths as they appear in messages, e.g. `graph.nodes[3].metadata["a key"]`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schemagen {

/// Appends a key, made printable and cut to 100 bytes. If the rest is not an identifier, it is put in `[""]`.
/// Takes constant time.
void append_key(std::string& path, std::string_view key);

void append_index(std::string& path, std::size_t index);

/// Appends a field whose name is unknown, e.g. `#95`.
void append_id(std::string& path, std::int32_t id);

}  // namespace schemagen
