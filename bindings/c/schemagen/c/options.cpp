#include "schemagen/c/options.h"

namespace schemagen::c {

UnknownFields unknown_fields_of(std::int32_t number, UnknownFields by_default) {
  // In the order of the constants.
  const UnknownFields all[] = {by_default, UnknownFields::error, UnknownFields::skip_empty,
                               UnknownFields::skip, UnknownFields::keep};
  if (number < SCHEMAGEN_FIELDS_DEFAULT || number > SCHEMAGEN_FIELDS_KEEP)
    throw UsageError("unknown_fields: unknown value " + std::to_string(number));
  return all[number];
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
  if (options.canonical != 0) by_default = Compression::none;
  const Compression all[] = {by_default, Compression::none, Compression::zstd};
  writing.compression = all[options.compression];
  return writing;
}

}  // namespace schemagen::c
