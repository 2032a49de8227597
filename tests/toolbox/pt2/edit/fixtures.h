#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "pt2/program.h"

inline pt2::ExportedProgram fixture(const std::string& name, const std::string& folder = "torch-2.13.0") {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/" + folder + "/" + name).program;
}

template <class Visit>
std::size_t for_each_fixture(const Visit& visit, const std::string& folder = "") {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(PT2_SOURCE_DIR "/tests/data/programs/" + folder)) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "about.json") continue;
    CAPTURE(entry.path());
    visit(pt2::load_program(entry.path().string()).program);
    ++count;
  }
  return count;
}
