#include "../../tools/pt2/report.h"

#include <catch2/catch.hpp>
#include <new>
#include <stdexcept>

#include "schemagen/base/error.h"

using pt2::tool::reported;

namespace {

/// The exit code of a command that ends in `error`.
template <class Error>
int exit_code_of(const Error& error) {
  return reported("show", nullptr, [&]() -> int { throw error; });
}

}  // namespace

TEST_CASE("every error ends a command with its exit code") {
  CHECK(exit_code_of(schemagen::UsageError("usage")) == 2);
  CHECK(exit_code_of(schemagen::DataError("data")) == 3);
  CHECK(exit_code_of(schemagen::IoError("io")) == 4);
  CHECK(exit_code_of(schemagen::Error("other")) == 4);
  CHECK(exit_code_of(std::bad_alloc()) == 4);
  CHECK(exit_code_of(std::runtime_error("what nobody thought of")) == 4);
  CHECK(reported("show", nullptr, [] { return 1; }) == 1);
}
