// For zip_test.py: archives as our reader sees them.
#include <cstdio>
#include <exception>

#include "pt2/archive/crc32.h"
#include "pt2/archive/file.h"
#include "pt2/archive/zip.h"

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    try {
      const pt2::FileBytes bytes = pt2::read_file(argv[i]);
      const pt2::ZipReader zip(bytes.view());
      for (const pt2::ZipMember& member : zip.members()) {
        const pt2::MemberBytes content = zip.read(member);
        std::printf("%.*s\t%zu\t%08x\n", static_cast<int>(member.name.size()), member.name.data(),
                    content.view().size(), pt2::crc32_of(content.view()));
      }
    } catch (const std::exception& error) {
      std::printf("error: %s\n", error.what());
    }
    std::printf("end\n");
  }
}
