#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pt2 {

/// Returns a number with digits in groups of three, e.g. `1,234,567`.
std::string grouped(std::uint64_t number);
/// Returns the number and the noun, e.g. `1 node` or `1,234 nodes`.
std::string grouped(std::uint64_t number, const std::string& noun);

using Row = std::vector<std::string>;
std::string table(const std::vector<Row>& rows);

}  // namespace pt2
