// What a value is written as.
#pragma once

#include <optional>
#include <string>

#include "pt2/binary/binary_file.h"
#include "schemagen/json/json.h"

namespace pt2::tool {

enum class Format { json, pt2b };

struct OutputFormat {
  Format format = Format::json;
  BinaryFileWriteOptions binary;  // of Format::pt2b
};

/// The format that the end of a file's name stands for; nullopt: none of these.
std::optional<Format> format_of_name(const std::string& path);

/// Whether `path` is called as archives are, which are only written as copies of others.
bool is_archive_name(const std::string& path);

/// `value`, a type of the schema, as the bytes of a file. Errors: as schemagen::to_json() and to_pt2b().
template <class T>
std::string encode(const T& value, const OutputFormat& format) {
  return format.format == Format::json ? schemagen::to_json(value) : to_pt2b(value, format.binary);
}

}  // namespace pt2::tool
