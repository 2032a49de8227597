#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>

#include "schemagen/base/error.h"

namespace schemagen {

/// Throws UsageError if `stream` is set to throw exceptions, because these would replace ours.
void require_quiet(const std::ios& stream);

std::size_t read_bytes(std::istream& in, char* to, std::size_t size);

void write_record(std::ostream& out, std::string_view bytes, std::uint64_t number);

DataError in_record(const DataError& error, std::uint64_t number, const Place& place);

}  // namespace schemagen
