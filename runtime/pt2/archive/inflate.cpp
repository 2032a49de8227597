#include "pt2/archive/inflate.h"

#ifdef PT2_WITH_ZLIB
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <optional>

#include "schemagen/base/counted.h"
#endif

namespace pt2 {

#ifdef PT2_WITH_ZLIB
namespace {

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  std::optional<std::string_view> next(std::string_view& input) {
    const std::size_t given = std::min<std::size_t>(input.size(), std::numeric_limits<uInt>::max());
    // zlib declares its input as non-const, but does not write to it.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(output_);
    stream_.avail_out = sizeof output_;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) return std::nullopt;
    done_ = status == Z_STREAM_END;
    input.remove_prefix(given - stream_.avail_in);
    return std::string_view(output_, sizeof output_ - stream_.avail_out);
  }

  bool done() const { return done_; }

 private:
  z_stream stream_ = {};
  char output_[1 << 16];
  bool done_ = false;
};

}  // namespace

std::string inflate(std::string_view packed, std::uint64_t size, const ByteSink& out) {
  std::uint64_t done = 0;
  Inflater inflater;
  while (!inflater.done()) {
    const std::optional<std::string_view> more = inflater.next(packed);
    if (!more) return "its compressed data is damaged";
    if (more->size() > size - done) {
      return "it inflates to more than " + schemagen::counted(size, "byte") + ", the size in its entry";
    }
    done += more->size();
    out(*more);
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
