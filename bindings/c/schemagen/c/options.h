// Converts options of the C API. Callers may have been compiled with a different version of the header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "schemagen/base/error.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/binary_file/binary_file.h"
#include "schemagen/json/json.h"
#include "schemagen_value.h"

namespace schemagen::c {

/// Returns a copy of the caller's options. If `given` is null, all members of the copy are 0. If the caller
/// was compiled with an older header, the members that the older header lacks are 0. Throws UsageError if the
/// caller was compiled with a newer header and sets a member that this version lacks.
template <class Options>
Options options_of(const Options* given) {
  Options options{};
  if (given == nullptr) return options;
  const std::size_t size = given->struct_size;
  if (size < sizeof(given->struct_size)) throw UsageError("struct_size of options is not set");
  const auto* const bytes = reinterpret_cast<const char*>(given);
  for (std::size_t i = sizeof(Options); i < size; ++i) {
    if (bytes[i] != 0) {
      throw UsageError("options: expected at most " + std::to_string(sizeof(Options)) + " bytes, got " +
                       std::to_string(size) + "; hint: use a newer library");
    }
  }
  std::memcpy(&options, given, size < sizeof(Options) ? size : sizeof(Options));
  return options;
}

/// Converts a SCHEMAGEN_FIELDS_ constant. Returns `by_default` if `number` is 0. Throws UsageError if
/// `number` is not one of the constants.
UnknownFields unknown_fields_of(std::int32_t number, UnknownFields by_default);

/// The highest depth limit that callers can choose. Reading, copying and destroying values recurse. In an
/// optimized build, 1000 levels need less than half a megabyte of stack.
inline constexpr std::uint64_t kMostDepth = 1000;

template <class Options>
Limits limits_of(const Options& options) {
  if (options.max_depth > kMostDepth) {
    throw UsageError("max_depth: expected at most " + std::to_string(kMostDepth) + ", got " +
                     std::to_string(options.max_depth));
  }
  Limits limits;
  const auto take = [](std::size_t& limit, std::uint64_t given) {
    if (given != 0) limit = static_cast<std::size_t>(given);
  };
  take(limits.depth, options.max_depth);
  take(limits.input_bytes, options.max_input_bytes);
  take(limits.string_bytes, options.max_string_bytes);
  take(limits.container_items, options.max_items);
  take(limits.memory_bytes, options.max_memory_bytes);
  return limits;
}

JsonWriteOptions json_options_of(const schemagen_write_options& options);
BinaryFileWriteOptions binary_options_of(const schemagen_write_options& options, Compression by_default);

}  // namespace schemagen::c
