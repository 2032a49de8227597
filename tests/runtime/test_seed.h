#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

/// 1, or PT2_TEST_SEED, where `random` chooses one for each run. Printed, so that failures can be repeated.
inline std::uint64_t test_seed() {
  static const std::uint64_t seed = [] {
    const char* const variable = std::getenv("PT2_TEST_SEED");
    const std::string given = variable == nullptr || *variable == '\0' ? "1" : variable;
    const std::uint64_t value = given == "random" ? std::random_device{}() : std::stoull(given);
    std::cout << "PT2_TEST_SEED=" << value << std::endl;
    return value;
  }();
  return seed;
}
