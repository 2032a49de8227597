#include "schemagen/c/options.h"

namespace schemagen::c {

UnknownFields unknown_fields_of(std::int32_t number, UnknownFields by_default) {
  switch (number) {
    case SCHEMAGEN_FIELDS_DEFAULT:
      return by_default;
    case SCHEMAGEN_FIELDS_REFUSE:
      return UnknownFields::error;
    case SCHEMAGEN_FIELDS_SKIP_EMPTY:
      return UnknownFields::skip_empty;
    case SCHEMAGEN_FIELDS_SKIP:
      return UnknownFields::skip;
    case SCHEMAGEN_FIELDS_KEEP:
      return UnknownFields::keep;
    default:
      throw UsageError("unknown_fields: unknown value " + std::to_string(number));
  }
}

JsonWriteOptions json_options_of(const schemagen_write_options& options) {
  JsonWriteOptions writing;
  if (options.indent < 0 || options.indent > 16) {
    throw UsageError("indent: expected 0 to 16 spaces, got " + std::to_string(options.indent));
  }
  if (options.indent != 0) writing.indent = static_cast<std::size_t>(options.indent);
  return writing;
}

BinaryFileWriteOptions binary_options_of(const schemagen_write_options& options, Compression by_default) {
  BinaryFileWriteOptions writing;
  writing.payload.canonical = options.canonical != 0;
  if (options.compression < 0 || options.compression > 2) {
    throw UsageError("compression: unknown value " + std::to_string(options.compression));
  }
  writing.compression = by_default;
  if (options.compression != 0)
    writing.compression = options.compression == 2 ? Compression::zstd : Compression::none;
  if (options.compression == 0 && options.canonical != 0) writing.compression = Compression::none;
  return writing;
}

}  // namespace schemagen::c
