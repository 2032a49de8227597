// Paths are UTF-8 on every system. The standard functions of Windows would interpret them in the system's
// code page.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace schemagen {

/// Converts a UTF-8 path. On Windows, throws IoError if `path` is not UTF-8. Other systems accept any bytes.
std::filesystem::path to_path(const std::string& path);

std::string from_path(const std::filesystem::path& path);

/// Opens a file. On failure, returns null and sets errno.
std::FILE* open_stream(const std::filesystem::path& path, const char* mode);

std::FILE* create_stream(const std::filesystem::path& path);

void remove_file(const char* path) noexcept;

}  // namespace schemagen
