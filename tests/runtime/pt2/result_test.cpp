#include "schemagen/base/result.h"
#include "schemagen/base/error.h"

#include <everything/binary.h>
#include <everything/json.h>
#include <pt2/binary/binary_file.h>
#include <pt2/json.h>
#include <pt2/program.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "folder.h"
#include "runtime/failing_allocations.h"
#include "schemagen/base/attempt.h"

using everything::Tree;
using pt2::ExportedProgram;
using schemagen::Failure;
using schemagen::Result;

namespace {

const std::string kPrograms = PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/";

const char kTree[] =
    R"({"name": "a name that is not short enough to be in place", "left": {"name": "l"}, "children":)"
    R"( [{"name": "c"}, {"name": "d"}], "named": {"k": {"name": "n"}}, "choice": {"blob": "AAECAw=="}})";

const char kTreeInAnotherOrder[] =
    R"({"children": [{"name": "c"}, {"name": "d"}], "name": "a name that is not short"})";

template <class Function>
Failure thrown(Function function) {
  try {
    function();
  } catch (...) {
    return Failure::of_current_exception();
  }
  FAIL("nothing was thrown");
  std::abort();
}

void check_same(const Failure& a, const Failure& b) {
  CHECK(a.kind() == b.kind());
  CHECK(std::string(a.what()) == b.what());
  CHECK(a.reason() == b.reason());
  CHECK(a.path() == b.path());
  CHECK(a.place().line == b.place().line);
  CHECK(a.place().column == b.place().column);
  CHECK(a.place().offset == b.place().offset);
}

/// Returns the number of allocations.
template <class Call>
long check_every_allocation(Call call) {
  for (long successes = 0;; ++successes) {
    const auto result = [&] {
      const FailingAllocations failing(successes);
      return call();
    }();
    if (result) return successes;
    CAPTURE(successes);
    REQUIRE(std::string(result.failure().what()) == "out of memory");
    REQUIRE(result.failure().kind() == Failure::out_of_memory);
    REQUIRE(successes < 1000000);
  }
}

}  // namespace

TEST_CASE("without exceptions, values are those that the functions with exceptions give") {
  const auto tree = schemagen::from_json<Tree>(kTree);
  const Result<Tree> read = schemagen::try_from_json<Tree>(kTree);
  REQUIRE(read);
  CHECK(*read == tree);
  CHECK(*schemagen::try_to_json(tree) == schemagen::to_json(tree));
  const std::string payload = schemagen::to_binary(tree);
  CHECK(*schemagen::try_to_binary(tree) == payload);
  CHECK(schemagen::try_from_binary<Tree>(payload)->left == tree.left);

  const auto program = pt2::load_program(kPrograms + "mlp.json").program;
  const Result<pt2::LoadedProgram> loaded = pt2::try_load_program(kPrograms + "mlp.pt2");
  REQUIRE(loaded);
  CHECK(loaded->program == program);
  CHECK(*pt2::try_from_pt2b<ExportedProgram>(*pt2::try_to_pt2b(program)) == program);
}

TEST_CASE("failures say what the exception says: message, path and place") {
  for (const char* const text : {R"({"name": "a", "children": [{"name": 1}]})", "[", R"({"name": "a"} x)"}) {
    const Result<Tree> result = schemagen::try_from_json<Tree>(text);
    REQUIRE_FALSE(result);
    CHECK(result.failure().kind() == Failure::data);
    check_same(result.failure(), thrown([&] { schemagen::from_json<Tree>(text); }));
  }
  const Result<Tree> result = schemagen::try_from_json<Tree>(R"({"name": "a", "children": [{"name": 1}]})");
  CHECK(result.failure().path() == "children[0].name");
  CHECK(result.failure().place().line == 1);

  const std::string broken("\x18\x05z", 3);
  check_same(schemagen::try_from_binary<Tree>(broken).failure(),
             thrown([&] { schemagen::from_binary<Tree>(broken); }));
  Tree unwritable;
  unwritable.choice.emplace();
  check_same(schemagen::try_to_json(unwritable).failure(), thrown([&] { schemagen::to_json(unwritable); }));
  check_same(schemagen::try_to_binary(unwritable).failure(),
             thrown([&] { schemagen::to_binary(unwritable); }));
  check_same(pt2::try_from_pt2b<ExportedProgram>("no file").failure(),
             thrown([] { pt2::from_pt2b<ExportedProgram>("no file"); }));
}

TEST_CASE("a .pt2b file of another type or schema is the same failure as the exception") {
  const std::string file = pt2::to_pt2b(pt2::SymInt(std::int64_t{3}));
  check_same(pt2::try_from_pt2b<ExportedProgram>(file).failure(),
             thrown([&] { pt2::from_pt2b<ExportedProgram>(file); }));
}

TEST_CASE("failures of files, of their data and of the caller are distinguished") {
  const auto missing = pt2::try_load_program("/nowhere/model.pt2");
  REQUIRE_FALSE(missing);
  CHECK(missing.failure().kind() == Failure::io);
  check_same(missing.failure(), thrown([] { pt2::load_program("/nowhere/model.pt2"); }));
  const auto source = pt2::try_open_program_file(kPrograms + "mlp.json");
  REQUIRE(source);
  const auto loaded = pt2::try_load_program(*source);
  REQUIRE(loaded);
  CHECK(pt2::try_save_program(loaded->program, "model.txt").failure().kind() == Failure::usage);
  CHECK(pt2::try_save_program(loaded->program, "model.pt2", {&*source}).failure().kind() == Failure::usage);
  pt2::LoadOptions options;
  options.model = "b";
  CHECK(pt2::try_load_program(*source, options).failure().kind() == Failure::data);
}

TEST_CASE("what is saved without exceptions is read again") {
  const Folder folder;
  const std::string path = folder / "program.json";
  const auto program = pt2::load_program(kPrograms + "mlp.pt2").program;
  CHECK(pt2::try_save_program(program, path));
  CHECK(pt2::try_load_program(path)->program == program);
}

TEST_CASE("exceptions of others are failures, too") {
  const auto of = [](auto exception) { return thrown([&] { throw exception; }); };
  CHECK(of(std::runtime_error("r")).kind() == Failure::other);
  CHECK(std::string(of(std::length_error("too long")).what()) == "too long");
  CHECK(of(schemagen::Error("e")).kind() == Failure::other);
  CHECK(std::string(of(7).what()) == "an exception of unknown type");
  CHECK(std::string(of(std::bad_alloc()).what()) == "out of memory");
}

TEST_CASE("a failure takes no memory") {
  const std::string reason(1000, 'r');
  const std::string path(1000, 'p');
  const Result<void> result = schemagen::attempt([&] {
    schemagen::DataError error(reason, path);
    allocations_left = 0;
    throw error;
  });
  allocations_left = -1;
  REQUIRE_FALSE(result);
  CHECK(result.failure().kind() == Failure::data);
  CHECK(result.failure().reason() == reason);
  CHECK(result.failure().path() == path);
}

TEST_CASE("memory that runs out at any allocation is a failure, and the next call succeeds") {
  const auto tree = schemagen::from_json<Tree>(kTree);
  const std::string payload = schemagen::to_binary(tree);
  // The fast reader gives up at this number.
  const std::string rare = R"({"new": 123456789012345678901, )" + std::string(kTree + 1);
  schemagen::JsonReadOptions skipping;
  skipping.unknown_fields = schemagen::UnknownFields::skip;
  CHECK(check_every_allocation([] { return schemagen::try_from_json<Tree>(kTree); }) > 4);
  CHECK(check_every_allocation([] { return schemagen::try_from_json<Tree>(kTreeInAnotherOrder); }) > 4);
  CHECK(check_every_allocation([&] { return schemagen::try_from_json<Tree>(rare, skipping); }) > 10);
  CHECK(check_every_allocation([&] { return schemagen::try_from_binary<Tree>(payload); }) > 4);
  CHECK(check_every_allocation([&] { return schemagen::try_to_json(tree); }) > 0);
  CHECK(check_every_allocation([&] { return schemagen::try_to_binary(tree); }) > 0);
  const std::string archive = kPrograms + "mlp.pt2";
  CHECK(check_every_allocation([&] { return pt2::try_load_program(archive); }) > 50);
  const auto program = pt2::load_program(archive).program;
  const std::string file = pt2::to_pt2b(program);
  CHECK(check_every_allocation([&] { return pt2::try_from_pt2b<ExportedProgram>(file); }) > 50);
}
