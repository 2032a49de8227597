// What files of records are to both codecs: streams, and errors that say which record is bad.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>

#include "schemagen/base/error.h"

namespace schemagen {

/// Errors: UsageError, if `stream` throws exceptions of its own, as what it meets is told by ours.
void require_quiet(const std::ios& stream);

/// Up to `size` bytes of `in`; how many there were. Errors: IoError.
std::size_t read_bytes(std::istream& in, char* to, std::size_t size);

/// Writes the bytes of record `number`. Errors: IoError.
void write_record(std::ostream& out, std::string_view bytes, std::uint64_t number);

/// `error`, of record `number` and at `place` of the whole file.
DataError in_record(const DataError& error, std::uint64_t number, const Place& place);

}  // namespace schemagen
