#pragma once

#include <string>

#include "pt2/program.h"
#include "schemagen/json/json.h"

namespace pt2::tool {

struct OutputFormat {
  FileFormat format = FileFormat::json;
  schemagen::JsonWriteOptions json;
  BinaryFileWriteOptions binary;
};

/// Throws whatever schemagen::to_json() and to_pt2b() throw.
template <class T>
std::string encode(const T& value, const OutputFormat& format) {
  return format.format == FileFormat::json ? schemagen::to_json(value, format.json)
                                           : to_pt2b(value, format.binary);
}

}  // namespace pt2::tool
