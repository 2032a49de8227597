#include "pt2/scan/harden.h"

#include "pt2/canonical/canonical.h"
#include "scanned.h"
#include "thrown.h"

using pt2::HardenOptions;
using pt2::LeftOut;

namespace {

struct Hardened {
  std::string bytes;
  std::set<std::string> left_out;
};

Hardened hardened(const std::string& bytes, const HardenOptions& options = {}) {
  Hardened made;
  const pt2::ProgramFile file{pt2::FileBytes(bytes)};
  for (const LeftOut& each : pt2::harden_archive(
           file, [&](std::string_view part) { made.bytes += part; }, options)) {
    CHECK_FALSE(each.why.empty());
    made.left_out.insert(each.record);
  }
  return made;
}

std::string hash_of(const std::string& bytes) {
  const pt2::ProgramFile file{pt2::FileBytes(bytes)};
  return pt2::content_hash(pt2::load_program(file).program);
}

}  // namespace

TEST_CASE("a hardened archive has the same program, and nothing is found in it") {
  for (const char* const path : {"programs/torch-2.13.0/mlp.pt2", "programs/torch-2.13.0/cond.pt2"}) {
    const std::string bytes = content_of(path);
    const Hardened made = hardened(bytes);
    CHECK(made.left_out.empty());
    CHECK(found_in(made.bytes).empty());
    CHECK_NOTHROW(pt2::require_harmless(made.bytes));
    CHECK(hash_of(made.bytes) == hash_of(bytes));
  }
}

TEST_CASE("extra files are dropped unless they are kept") {
  const std::string bytes = package({{"extra/note.txt", "a note"}});
  CHECK(hardened(bytes).left_out == std::set<std::string>{"extra/note.txt"});
  HardenOptions options;
  options.keep_extra = true;
  const Hardened made = hardened(bytes, options);
  CHECK(made.left_out.empty());
  CHECK_THAT(made.bytes, Contains("a note"));
}

TEST_CASE("records that torch does not need are dropped with the code in them") {
  const Hardened made = hardened(package({{"data/sample_inputs/model.pt", saved_by_torch(kCall)}}));
  CHECK(made.left_out == std::set<std::string>{"data/sample_inputs/model.pt"});
  CHECK(found_in(made.bytes).empty());
}

TEST_CASE("native code is refused unless it is to be dropped") {
  const std::string bytes = content_of("packages/both.pt2");
  CHECK_THROWS_AS(hardened(bytes), schemagen::DataError);
  HardenOptions options;
  options.drop_native = true;
  const Hardened made = hardened(bytes, options);
  CHECK_FALSE(made.left_out.empty());
  CHECK(found_in(made.bytes).empty());
}

TEST_CASE("what is no archive, or has no program, is refused") {
  CHECK(error_of<schemagen::UsageError>([] { hardened(content_of("programs/torch-2.13.0/mlp.json")); }) ==
        "expected an archive");
  CHECK_THROWS_AS(hardened(content_of("packages/aoti.pt2")), schemagen::DataError);
}

TEST_CASE("an archive with findings is not harmless, and the error names the record") {
  CHECK_THAT(error_of<schemagen::DataError>([] {
               pt2::require_harmless(package({{"data/sample_inputs/model.pt", saved_by_torch(kCall)}}));
             }),
             Contains("data/sample_inputs/model.pt"));
}
