#pragma once

#include <catch2/catch.hpp>
#include <string>

inline void contains(const std::string& text, const std::string& part) {
  INFO(text);
  INFO(part);
  CHECK(text.find(part) != std::string::npos);
}
