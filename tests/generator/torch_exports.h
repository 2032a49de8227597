// For the tests of PyTorch's two formats.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "front/diagnostics.h"
#include "front/resolve.h"
#include "model/model.h"

/// One line of tests/data/torch_exports.txt.
struct TorchExport {
  std::string release;
  std::string schema;  // path of our schema; its version in the file
  std::string format;
  std::string sha256;
  std::string checksum;
};

inline std::string file_text(const std::string& path) {
  std::ifstream file(std::string(PT2_SOURCE_DIR) + "/" + path, std::ios::binary);
  INFO(path);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::vector<TorchExport> torch_exports(const std::string& format) {
  std::istringstream lines(file_text("tests/data/torch_exports.txt"));
  std::vector<TorchExport> exports;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    INFO(line);
    std::istringstream words(line);
    TorchExport one;
    REQUIRE((words >> one.release >> one.schema >> one.format >> one.sha256 >> one.checksum));
    const std::string released = "schema/released/" + one.schema + ".yaml";
    const bool is_released = std::filesystem::exists(std::string(PT2_SOURCE_DIR) + "/" + released);
    one.schema = is_released ? released : "schema/pt2.yaml";
    if (one.format == format) exports.push_back(std::move(one));
  }
  return exports;
}

inline generator::Model model_of(const std::string& text) {
  generator::Diagnostics diagnostics("s.yaml", text);
  auto model = generator::load_model(diagnostics, generator::rule_ids());
  INFO(diagnostics.render());
  REQUIRE(model);
  return *std::move(model);
}
