#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pt2 {

/// Returns a number with digits in groups of three, e.g. `1,234,567`.
std::string grouped(std::uint64_t number);

using Row = std::vector<std::string>;
std::string table(const std::vector<Row>& rows);

}  // namespace pt2
