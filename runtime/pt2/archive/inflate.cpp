#include "pt2/archive/inflate.h"

#ifdef PT2_WITH_ZLIB
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include "schemagen/base/counted.h"
#endif

namespace pt2 {

#ifdef PT2_WITH_ZLIB

std::string inflate(std::string_view packed, std::uint64_t size, const ByteSink& out) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&stream, inflateEnd);
  char output[1 << 16];
  std::uint64_t done = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    const std::size_t given = std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max());
    // zlib declares its input as non-const, but does not write to it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(output);
    stream.avail_out = sizeof output;
    status = ::inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) return "its compressed data is damaged";
    packed.remove_prefix(given - stream.avail_in);
    const std::string_view more(output, sizeof output - stream.avail_out);
    if (more.size() > size - done) {
      return "it inflates to more than " + schemagen::counted(size, "byte") + ", the size in its entry";
    }
    done += more.size();
    out(more);
  }
  if (done != size) {
    return "it inflates to " + schemagen::counted(done, "byte") + ", but its entry says " +
           std::to_string(size);
  }
  if (!packed.empty())
    return "its compressed data ends " + schemagen::counted(packed.size(), "byte") + " early";
  return {};
}
#else
std::string inflate(std::string_view, std::uint64_t, const ByteSink&) {
  return "it is compressed, but this library was built without zlib; hint: compile the library with "
         "-DPT2_WITH_ZLIB and link -lz";
}
#endif

}  // namespace pt2
