// The seed of random tests.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

/// PT2_TEST_SEED, or another one in each run. Printed, so that a failure can be had again.
inline std::uint64_t test_seed() {
  static const std::uint64_t seed = [] {
    const char* const given = std::getenv("PT2_TEST_SEED");
    const std::uint64_t value = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::cout << "PT2_TEST_SEED=" << value << std::endl;
    return value;
  }();
  return seed;
}
