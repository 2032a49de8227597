#include "common/exit.h"

#include <catch2/catch.hpp>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "schemagen/base/error.h"

namespace {

template <class Error>
int exit_code_of_one_that_throws(const Error& error) {
  return tools::exit_code_of(
      {"pt2", "show", ""}, [&]() -> int { throw error; }, [](std::string_view) {});
}

}  // namespace

TEST_CASE("every error ends a command with its exit code") {
  CHECK(exit_code_of_one_that_throws(schemagen::UsageError("usage")) == 2);
  CHECK(exit_code_of_one_that_throws(schemagen::DataError("data")) == 3);
  CHECK(exit_code_of_one_that_throws(tools::FileError("another file")) == 3);
  CHECK(exit_code_of_one_that_throws(schemagen::IoError("io")) == 4);
  CHECK(exit_code_of_one_that_throws(schemagen::Error("other")) == 4);
  CHECK(exit_code_of_one_that_throws(std::bad_alloc()) == 4);
  CHECK(exit_code_of_one_that_throws(std::runtime_error("unforeseen")) == 4);
  CHECK(tools::exit_code_of(
            {"pt2", "show", ""}, [] { return 1; }, [](std::string_view) {}) == 1);
}

TEST_CASE("errors name the command, the file or the program, and usage errors the way to help") {
  std::string said;
  const auto report = [&](std::string_view text) { said += text; };
  tools::exit_code_of(
      {"pt2", "show", "a.pt2"}, []() -> int { throw schemagen::UsageError("x"); }, report);
  tools::exit_code_of(
      {"pt2", "show", "a.pt2"}, []() -> int { throw schemagen::DataError("y"); }, report);
  tools::exit_code_of(
      {"pt2", "show", "a.pt2"}, []() -> int { throw schemagen::IoError("z"); }, report);
  CHECK(said ==
        "pt2 show: error: x\nhint: run 'pt2 show --help' for usage\na.pt2: error: y\npt2: error: z\n");
}
