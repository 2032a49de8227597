#include "pt2/report/stats_rows.h"

#include <cstdint>

#include "pt2/text/literal.h"

namespace pt2 {

std::string shown(const Polynomial& value) {
  const auto number = value.number();
  return number && *number >= 0 ? grouped(static_cast<std::uint64_t>(*number)) : printable(value.text());
}

std::vector<Row> stats_rows(const ProgramStats& stats) {
  const auto bytes = [](std::int64_t count) { return grouped(static_cast<std::uint64_t>(count), "byte"); };
  std::vector<Row> rows = {{"parameters", grouped(static_cast<std::uint64_t>(stats.parameters)) + " (" +
                                              bytes(stats.parameter_bytes) + ")"},
                           {"buffers", bytes(stats.buffer_bytes)},
                           {"multiply-adds", shown(stats.multiply_adds)},
                           {"results", shown(stats.value_bytes) + " bytes" +
                                           (stats.peak_bytes ? ", peak " + bytes(*stats.peak_bytes) : "")}};
  std::string uncounted;
  for (const auto& [name, nodes] : stats.not_counted) {
    uncounted += (uncounted.empty() ? "" : ", ") + printable(name) + " (" + std::to_string(nodes) + ")";
  }
  if (!uncounted.empty()) rows.push_back({"not counted", uncounted});
  return rows;
}

}  // namespace pt2
