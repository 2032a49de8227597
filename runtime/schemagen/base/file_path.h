// Paths are UTF-8 on every system. The standard functions of Windows would take them in the machine's code
// page.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace schemagen {

/// Throws IoError on Windows if `path` is not UTF-8. Other systems take any bytes.
std::filesystem::path to_path(const std::string& path);

/// The reverse.
std::string from_path(const std::filesystem::path& path);

/// Like std::fopen(): returns null and sets errno on failure.
std::FILE* open_stream(const std::string& path, const char* mode);

/// Creates a file and opens it for writing bytes. Returns null and sets errno on failure, EEXIST if it
/// exists.
std::FILE* create_stream(const std::string& path);

/// Like std::remove(), for signal handlers.
void remove_file(const char* path) noexcept;

}  // namespace schemagen
