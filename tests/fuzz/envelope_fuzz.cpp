// libFuzzer: an envelope is refused, or its payload comes back when it is sealed again. The checksum is made
// right, as no fuzzer guesses it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fault.h"
#include "pt2/binary/binary_file.h"
#include "schemagen/value/error.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace {

void check(std::string_view file) {
  schemagen::Limits limits;
  limits.input_bytes = std::size_t{1} << 20;
  try {
    const pt2::Envelope envelope(pt2::kPt2b, file, limits);
    require(envelope.payload().size() <= limits.input_bytes, "limits hold");
    const std::string again = seal(pt2::kPt2b, envelope.header(), envelope.payload(), pt2::Compression::none);
    require(pt2::Envelope(pt2::kPt2b, again, limits).payload() == envelope.payload(),
            "what is sealed is read");
    if (envelope.compression() == pt2::Compression::none)
      require(again == file, "what was not compressed is sealed alike");
  } catch (const schemagen::DataError& error) {
    require_message(error);
    require(error.place().offset && *error.place().offset <= file.size(), "a place is in the file");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file(reinterpret_cast<const char*>(data), size);
  check(file);
  const std::uint64_t checksum = XXH3_64bits(file.data(), file.size());
  for (int i = 0; i < 8; ++i) file += static_cast<char>(static_cast<unsigned char>(checksum >> (8 * i)));
  check(file);
  return 0;
}
