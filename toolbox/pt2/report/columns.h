// Numbers and tables as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pt2 {

/// 1234567 as `1,234,567`.
std::string grouped(std::uint64_t number);

/// One line for each row: left-aligned columns, two spaces between them and before the first.
using Row = std::vector<std::string>;
std::string table(const std::vector<Row>& rows);

}  // namespace pt2
