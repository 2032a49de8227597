#include "pt2/archive/tensors/tensor.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "pt2/archive/tensors/elements.h"

namespace pt2 {
namespace {

template <class Visit>
void for_each_element(const Tensor& tensor, DecodeElement decode, const schemagen::Limits& limits,
                      const Visit& visit) {
  const auto width = static_cast<std::size_t>(extent_of(tensor.layout).element);
  std::string rest;  // the start of an element that ends in the next part
  write_row_major(
      tensor,
      [&](std::string_view part) {
        if (!rest.empty()) {
          const std::size_t missing = std::min(width - rest.size(), part.size());
          rest += part.substr(0, missing);
          part.remove_prefix(missing);
          if (rest.size() < width) return;
          visit(decode(rest.data()));
          rest.clear();
        }
        for (; part.size() >= width; part.remove_prefix(width)) visit(decode(part.data()));
        rest = part;
      },
      limits);
}

}  // namespace

std::optional<TensorStatistics> statistics_of(const Tensor& tensor, std::size_t bins,
                                              const schemagen::Limits& limits) {
  const DecodeElement decode = decoder_of(tensor.layout.dtype);
  if (decode == nullptr || tensor.is_absent()) return std::nullopt;
  TensorStatistics result;
  double squares = 0.0;  // sum of squared distances from the mean (Welford)
  for_each_element(tensor, decode, limits, [&](double value) {
    if (std::isnan(value)) {
      ++result.nans;
    } else if (std::isinf(value)) {
      ++result.infinities;
    } else {
      const bool is_first = result.finite == 0;
      ++result.finite;
      result.zeros += value == 0.0 ? 1 : 0;
      result.minimum = is_first ? value : std::min(result.minimum, value);
      result.maximum = is_first ? value : std::max(result.maximum, value);
      const double distance = value - result.mean;
      result.mean += distance / static_cast<double>(result.finite);
      squares += distance * (value - result.mean);
    }
  });
  if (result.finite == 0) return result;
  result.deviation = std::sqrt(squares / static_cast<double>(result.finite));
  const double half_range = result.maximum / 2 - result.minimum / 2;
  result.histogram.assign(half_range > 0 ? bins : 1, 0);
  for_each_element(tensor, decode, limits, [&](double value) {
    if (!std::isfinite(value)) return;
    const double part = half_range > 0 ? (value / 2 - result.minimum / 2) / half_range : 0.0;
    const auto bin = static_cast<std::size_t>(part * static_cast<double>(result.histogram.size()));
    ++result.histogram[std::min(bin, result.histogram.size() - 1)];
  });
  return result;
}

}  // namespace pt2
