#include "evolution/process.h"

#include <catch2/catch.hpp>
#include <system_error>

TEST_CASE("a program is run without a shell, with all of its output") {
  const generator::ProcessResult echo = generator::run_process({"echo", "a  b", "$HOME; *"});
  CHECK(echo.exit_code == 0);
  CHECK(echo.out == "a  b $HOME; *\n");
  const generator::ProcessResult both =
      generator::run_process({"sh", "-c", "seq 100000 >&2; seq 100000; cat; exit 3"});
  CHECK(both.exit_code == 3);
  CHECK(both.out == both.err);
  CHECK(both.out.size() == 588895);
  CHECK_THROWS_AS(generator::run_process({"no_such_program_anywhere"}), std::system_error);
}
