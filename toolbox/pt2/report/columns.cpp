#include "pt2/report/columns.h"

#include <algorithm>
#include <cstddef>

#include "pt2/text/literal.h"

namespace pt2 {
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string grouped(std::uint64_t number, const std::string& noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string table(const std::vector<Row>& rows) {
  constexpr std::size_t kMostAligned = 200;  // a longer cell would pad every other row
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t width = text_width(row[i]);
      if (width <= kMostAligned) widths[i] = std::max(widths[i], width);
    }
  }
  std::string text;
  for (const Row& row : rows) {
    const std::size_t start = text.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      text.append("  ").append(row[i]).append(widths[i] - std::min(widths[i], text_width(row[i])), ' ');
    }
    text.resize(std::max(start, text.find_last_not_of(' ') + 1));
    text += '\n';
  }
  return text;
}

}  // namespace pt2
