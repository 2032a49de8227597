#include "pt2/nodes/einsum_equation.h"

#include <algorithm>
#include <string_view>

#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::string_view kEllipsis = "...";
constexpr std::size_t kMostBroadcastDims = 64;

[[noreturn]] void fail_equation(const std::string& equation, const std::string& reason) {
  throw schemagen::DataError("equation " + schemagen::quoted(equation) + ": " + reason);
}

std::string with_broadcast_labels(std::string labels, std::size_t count) {
  std::string broadcast;
  for (std::size_t i = count; i > 0; --i) broadcast += static_cast<char>(i);
  const std::size_t at = labels.find(kEllipsis);
  if (at != labels.npos) labels.replace(at, kEllipsis.size(), broadcast);
  return labels;
}

std::string implicit_result(const std::vector<std::string>& operands, std::size_t broadcast) {
  std::string all;
  for (const std::string& labels : operands) all += labels;
  std::sort(all.begin(), all.end());
  std::string result = with_broadcast_labels(std::string(kEllipsis), broadcast);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_alone = (i == 0 || all[i - 1] != all[i]) && (i + 1 == all.size() || all[i + 1] != all[i]);
    if (is_alone && !is_broadcast_label(all[i])) result += all[i];
  }
  return result;
}

void check_result(const std::string& equation, const EinsumEquation& parsed) {
  for (const char label : parsed.result) {
    if (is_broadcast_label(label)) continue;
    const auto has = [&](const std::string& labels) { return labels.find(label) != labels.npos; };
    const std::string name = "'" + std::string(1, label) + "'";
    if (std::none_of(parsed.operands.begin(), parsed.operands.end(), has)) {
      fail_equation(equation, name + " is in the result but in no operand");
    }
    if (std::count(parsed.result.begin(), parsed.result.end(), label) > 1) {
      fail_equation(equation, name + " occurs twice in the result");
    }
  }
}

}  // namespace

EinsumEquation parse_einsum(std::string equation, const std::vector<std::size_t>& ranks) {
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  const std::size_t arrow = equation.find("->");
  EinsumEquation parsed;
  std::size_t most_broadcast = 0;
  const std::string operands = equation.substr(0, arrow) + ",";
  for (std::size_t at = 0, comma = 0; (comma = operands.find(',', at)) != operands.npos; at = comma + 1) {
    const std::string labels = operands.substr(at, comma - at);
    const std::size_t count = parsed.operands.size();
    if (count == ranks.size()) fail_equation(equation, "more than " + schemagen::counted(count, "operand"));
    const bool has_ellipsis = labels.find(kEllipsis) != labels.npos;
    const std::size_t named = labels.size() - (has_ellipsis ? kEllipsis.size() : 0);
    const std::size_t broadcast = has_ellipsis && ranks[count] > named ? ranks[count] - named : 0;
    if (named + broadcast != ranks[count] || broadcast > kMostBroadcastDims) {
      fail_equation(equation, schemagen::counted(named, "label") + " for operand " + std::to_string(count) +
                                  " of rank " + std::to_string(ranks[count]));
    }
    parsed.operands.push_back(with_broadcast_labels(labels, broadcast));
    most_broadcast = std::max(most_broadcast, broadcast);
  }
  if (parsed.operands.size() != ranks.size()) {
    fail_equation(equation, schemagen::counted(parsed.operands.size(), "operand") + " for " +
                                schemagen::counted(ranks.size(), "tensor"));
  }
  parsed.result = arrow == equation.npos ? implicit_result(parsed.operands, most_broadcast)
                                         : with_broadcast_labels(equation.substr(arrow + 2), most_broadcast);
  check_result(equation, parsed);
  return parsed;
}

}  // namespace pt2
