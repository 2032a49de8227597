// Operations on files. Paths are UTF-8 on every system; the standard functions of Windows would interpret
// them in the system's code page.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace schemagen {

/// Throws FileIoError, or std::bad_alloc if `error_number` is ENOMEM.
[[noreturn]] void file_error(const std::string& action, const std::string& path, int error_number);

enum class FileKind : std::uint8_t { missing, regular, folder, other };

struct FileStatus {
  FileKind kind = FileKind::missing;
  unsigned permissions = 0;  // the permission bits
};

/// Returns the status of the file at `path`, or of its target if `path` is a symbolic link. The functions
/// below throw FileIoError if a Windows path is not UTF-8; other systems accept any bytes.
FileStatus status_of(const std::string& path);

/// Returns the path at the end of a chain of symbolic links, which need not exist. Throws FileIoError if the
/// chain has more than 40 links.
std::string follow_links(const std::string& path);

/// Opens a file, in a mode of std::fopen(). On failure, returns null and sets errno.
std::FILE* open_file(const std::string& path, const char* mode);

/// Opens `target` to check it or to begin writing. Throws FileIoError, which names `path`.
std::FILE* open_to_write(const std::string& target, const char* mode, const std::string& path);

/// Creates a file. On failure, for example because it exists, returns null and sets errno.
std::FILE* create_file(const std::string& path);

/// Returns the path of a file called `name` in the folder of `path`.
std::string path_beside(const std::string& path, const std::string& name);

/// Sets the permissions of a file. Ignores failure, because some file systems have no permissions.
void set_permissions(const std::string& path, unsigned permissions);

/// Renames a file. Replaces the file at `to` if it exists. Throws FileIoError.
void rename_file(const std::string& from, const std::string& to, const std::string& path);

void remove_file(const char* path) noexcept;

/// Returns whether both paths refer to the same file, even through links. Returns false if one of them does
/// not exist.
bool is_same_file(const std::string& a, const std::string& b);

/// Returns whether files written to both paths could replace each other: also true if neither exists and
/// their names in one folder differ only in case.
bool is_same_output(const std::string& a, const std::string& b);

}  // namespace schemagen
