#include "schemagen/base/record_stream.h"

#include <istream>
#include <ostream>

namespace schemagen {

void require_quiet(const std::ios& stream) {
  if (stream.exceptions() == std::ios::goodbit) return;
  throw UsageError("the record stream is set to throw exceptions; hint: do not set its exceptions()");
}

std::size_t read_bytes(std::istream& in, char* to, std::size_t size) {
  in.read(to, static_cast<std::streamsize>(size));
  if (in.bad() || (in.fail() && !in.eof())) throw IoError("cannot read the record stream");
  return static_cast<std::size_t>(in.gcount());
}

void write_record(std::ostream& out, std::string_view bytes, std::uint64_t number) {
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out) throw IoError("cannot write record " + std::to_string(number));
}

DataError in_record(const DataError& error, std::uint64_t number, const Place& place) {
  return DataError(error.reason() + "; record " + std::to_string(number), error.path(), place, error.fault());
}

}  // namespace schemagen
