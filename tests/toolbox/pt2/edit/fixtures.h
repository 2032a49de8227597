#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "program_files.h"
#include "pt2/program.h"

inline pt2::ExportedProgram fixture(const std::string& name, const std::string& folder = "torch-2.13.0") {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/" + folder + "/" + name).program;
}

template <class Visit>
std::size_t for_each_fixture(const Visit& visit, const std::string& folder = "") {
  std::size_t count = 0;
  for (const std::filesystem::path& path : program_files("programs/" + folder)) {
    CAPTURE(path);
    visit(pt2::load_program(path.string()).program);
    ++count;
  }
  return count;
}
