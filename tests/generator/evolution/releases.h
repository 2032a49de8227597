#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "front/resolve.h"
#include "generator/read_file.h"

inline const std::filesystem::path kSource = PT2_SOURCE_DIR;

inline generator::Release release(const std::string& text, const std::string& file) {
  generator::Diagnostics diagnostics(file, text);
  auto model = generator::load_model(diagnostics, generator::rule_ids());
  INFO(diagnostics.render());
  REQUIRE(model);
  return {file, text, *std::move(model)};
}

inline std::vector<generator::Release> earlier_releases(const std::filesystem::path& folder) {
  std::vector<generator::Release> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_of("0123456789") == 0) found.push_back(release(read_file(entry.path()), name));
  }
  std::sort(found.begin(), found.end(),
            [](const generator::Release& a, const generator::Release& b) { return a.file > b.file; });
  return found;
}

inline const std::string kHead = "name: s\nversion: {major: 1, minor: ";
inline const std::string kStruct = "  A:\n    kind: struct\n    fields:\n";
inline const std::string kUnion = "  A:\n    kind: union\n    fields:\n";
inline const std::string kX = "      x: {id: 10, type: int}\n";
inline const std::string kY = "      y: {id: 20, type: str, default: a}\n";

inline generator::Release schema(int minor, const std::string& types) {
  return release(kHead + std::to_string(minor) + "}\ntypes:\n" + types, minor == 0 ? "old.yaml" : "new.yaml");
}

inline std::set<std::string> found(const generator::Comparison& comparison) {
  std::set<std::string> ids;
  for (const generator::Finding& finding : comparison.findings) ids.emplace(finding.rule->id);
  return ids;
}

/// Worst effects: new readers of old JSON, old readers of new JSON, the same for binary data. y: yes, d:
/// depends, -: no.
inline std::string verdicts_of(const generator::Comparison& comparison) {
  std::array<generator::Verdict, 4> worst{};
  for (const generator::Finding& finding : comparison.findings) {
    const generator::Effects& one = finding.effects;
    const std::array<generator::Verdict, 4> all = {one.json_backward, one.json_forward, one.binary_backward,
                                                   one.binary_forward};
    for (std::size_t i = 0; i < all.size(); ++i) worst[i] = std::max(worst[i], all[i]);
  }
  std::string text;
  for (const generator::Verdict verdict : worst) text += "yd-"[static_cast<int>(verdict)];
  return text;
}
