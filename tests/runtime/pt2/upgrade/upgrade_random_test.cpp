#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/document_mutator.h"
#include "program_files.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> old_programs() {
  std::vector<std::string> texts;
  for (const char* release : {"2.1.2", "2.2.2", "2.4.1", "2.5.1"}) {
    for (const fs::path& path : program_files(std::string("programs/torch-") + release)) {
      texts.push_back(read_file(path));
    }
  }
  return texts;
}

std::string upgraded(const std::string& json) {
  pt2::LoadOptions options;
  options.upgrading = pt2::Upgrading::all;
  const pt2::ProgramFile file{pt2::FileBytes(json)};
  return schemagen::to_json(pt2::load_program(file, options).program);
}

}  // namespace

TEST_CASE("upgrading is idempotent") {
  for (const std::string& text : old_programs()) {
    const std::string once = upgraded(text);
    CHECK((upgraded(once) == once));
  }
}

TEST_CASE("damaged programs of old releases are upgraded or refused") {
  DocumentMutator mutator(test_seed());
  std::size_t read = 0;
  std::size_t refused = 0;
  for (const std::string& text : old_programs()) {
    if (text.size() > 60000) continue;
    for (int i = 0; i < 15; ++i) {
      try {
        upgraded(mutated_document(text, {}, mutator).value());
        ++read;
      } catch (const schemagen::DataError&) {
        ++refused;
      }
    }
  }
  CHECK(read > 0);
  CHECK(refused > 0);
}
