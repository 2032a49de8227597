#pragma once

#include <rapidjson/document.h>

#include <catch2/catch.hpp>
#include <set>
#include <string>

/// RapidJSON's tree of a report. Fails if it is not JSON.
inline rapidjson::Document parsed(const std::string& report) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(report.c_str());
  INFO(report.substr(0, 200));
  REQUIRE_FALSE(document.HasParseError());
  return document;
}

inline std::set<std::string> keys_of(const rapidjson::Value& object) {
  std::set<std::string> keys;
  for (const auto& member : object.GetObject()) keys.emplace(member.name.GetString());
  return keys;
}

inline std::string data_file(const std::string& name) {
  return PT2_SOURCE_DIR "/tests/data/" + name;
}
