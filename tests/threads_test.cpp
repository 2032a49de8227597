#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "pt2/binary/binary_file.h"
#include "pt2/canonical/canonical.h"
#include "pt2/diff/program_diff.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/show/print.h"
#include "schemagen/base/error.h"

namespace {

const std::string kPrograms = std::string(PT2_SOURCE_DIR) + "/tests/data/programs/";

std::vector<std::string> results_of(const std::string& path) {
  pt2::LoadOptions options;
  options.upgrading = pt2::Upgrading::all;
  const pt2::ExportedProgram program = pt2::load_program(path, options).program;
  const pt2::NormalProgram normal = pt2::normalize(program);
  std::vector<std::string> results = {schemagen::to_json(program), pt2::to_pt2b(program),
                                      pt2::program_text(program), schemagen::to_json(normal.program)};
  for (const auto form : {pt2::CanonicalForm::torch, pt2::CanonicalForm::names}) {
    results.push_back(schemagen::to_json(pt2::canonicalize(program, form)));
  }
  results.push_back(std::to_string(pt2::diff_programs(normal, normal).size()));
  results.push_back(schemagen::to_json(pt2::from_pt2b<pt2::ExportedProgram>(results[1])));
  try {
    schemagen::from_json<pt2::ExportedProgram>("{");
  } catch (const schemagen::DataError& error) {
    results.emplace_back(error.what());
  }
  return results;
}

std::vector<std::string> results_of_all() {
  std::vector<std::string> results;
  for (const char* const name :
       {"torch-2.13.0/cond.pt2", "torch-2.13.0/unbacked.json", "torch-2.2.2/cond.pt2",
        "torch-2.4.1/dynamic.pt2", "torch-2.6.0/cond.json"}) {
    for (std::string& result : results_of(kPrograms + name)) results.push_back(std::move(result));
  }
  return results;
}

}  // namespace

TEST_CASE("eight threads load, upgrade, canonicalize and write the same at once") {
  std::array<std::vector<std::string>, 8> results;
  std::vector<std::thread> threads;
  // The threads use everything for the first time, to test initialization.
  for (auto& result : results) threads.emplace_back([&result] { result = results_of_all(); });
  for (std::thread& thread : threads) thread.join();
  const std::vector<std::string> alone = results_of_all();
  for (const auto& result : results) CHECK((result == alone));
}
