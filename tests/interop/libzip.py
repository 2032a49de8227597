"""libzip, as a second reader and writer of zip archives: its C functions, called by ctypes."""

import ctypes
import os

ENCODED_RAW = 64
STORED, DEFLATED = 0, 8


class Stat(ctypes.Structure):
    _fields_ = [("valid", ctypes.c_uint64), ("name", ctypes.c_char_p), ("index", ctypes.c_uint64), ("size", ctypes.c_uint64),
                ("packed_size", ctypes.c_uint64), ("time", ctypes.c_long), ("crc", ctypes.c_uint32), ("method", ctypes.c_uint16),
                ("encryption", ctypes.c_uint16), ("flags", ctypes.c_uint32)]


class Error(Exception):
    pass


def function(name, result, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found


library = ctypes.CDLL("libzip.so.4")
pointer, number, text = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_char_p
zip_open = function("zip_open", pointer, text, ctypes.c_int, ctypes.POINTER(ctypes.c_int))
zip_close = function("zip_close", ctypes.c_int, pointer)
zip_discard = function("zip_discard", None, pointer)
zip_get_num_entries = function("zip_get_num_entries", ctypes.c_int64, pointer, ctypes.c_uint32)
zip_get_name = function("zip_get_name", text, pointer, number, ctypes.c_uint32)
zip_stat_index = function("zip_stat_index", ctypes.c_int, pointer, number, ctypes.c_uint32, ctypes.POINTER(Stat))
zip_fopen_index = function("zip_fopen_index", pointer, pointer, number, ctypes.c_uint32)
zip_fread = function("zip_fread", ctypes.c_int64, pointer, pointer, number)
zip_fclose = function("zip_fclose", ctypes.c_int, pointer)
zip_source_buffer = function("zip_source_buffer", pointer, pointer, text, number, ctypes.c_int)
zip_file_add = function("zip_file_add", ctypes.c_int64, pointer, text, pointer, ctypes.c_uint32)
zip_set_file_compression = function("zip_set_file_compression", ctypes.c_int, pointer, number, ctypes.c_int32, ctypes.c_uint32)
zip_set_archive_comment = function("zip_set_archive_comment", ctypes.c_int, pointer, text, ctypes.c_uint16)


def open_archive(path, flags):
    error = ctypes.c_int()
    archive = zip_open(os.fsencode(path), flags, ctypes.byref(error))
    if not archive:
        raise Error(f"zip_open: error {error.value}")
    return archive


def require(is_done, what):
    if not is_done:
        raise Error(what)


def read(path):
    """The members of an archive as pairs of name and content. libzip verifies the checksums. Raises Error."""
    archive = open_archive(path, flags=16)
    try:
        members = []
        for index in range(zip_get_num_entries(archive, 0)):
            stat = Stat()
            require(zip_stat_index(archive, index, 0, ctypes.byref(stat)) == 0, "zip_stat_index")
            file = zip_fopen_index(archive, index, 0)
            require(file, "zip_fopen_index")
            content = ctypes.create_string_buffer(stat.size + 1)
            count = zip_fread(file, content, stat.size + 1)
            require(zip_fclose(file) == 0 and count == stat.size, "zip_fread")
            members.append((zip_get_name(archive, index, ENCODED_RAW).decode(), content.raw[:count]))
        return members
    finally:
        zip_discard(archive)


def write(path, members, comment=b""):
    """Writes an archive of members: name, content, and STORED or DEFLATED. Without members, writes no file."""
    archive = open_archive(path, flags=1 | 8)
    for name, content, method in members:
        source = zip_source_buffer(archive, content, len(content), 0)
        index = zip_file_add(archive, name.encode(), source, 2048)
        require(index >= 0, "zip_file_add")
        require(zip_set_file_compression(archive, index, method, 0) == 0, "zip_set_file_compression")
    require(zip_set_archive_comment(archive, comment, len(comment)) == 0, "zip_set_archive_comment")
    require(zip_close(archive) == 0, "zip_close")
