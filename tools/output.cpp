#include "output.h"

#include "console.h"
#include "pt2/archive/file.h"

namespace pt2::tool {

void write_bytes(std::string_view bytes, const std::string& out) {
  out == "-" ? write_output(bytes) : write_file_atomically(out, bytes);
}

void write_archive(const Archive& archive, const std::vector<NewMember>& changed, const std::string& out) {
  if (out == "-") {
    std::string bytes;
    rewrite_archive(archive, changed, [&](std::string_view part) { bytes += part; });
    return write_output(bytes);
  }
  AtomicFile file(out);
  rewrite_archive(archive, changed, [&](std::string_view part) { file.write(part); });
  file.commit();
}

}  // namespace pt2::tool
