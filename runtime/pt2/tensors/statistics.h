// What the elements of a tensor are like. All functions may be called from several threads at once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pt2/tensors/tensor.h"

namespace pt2 {

/// Of elements as doubles; those of bool are 0 and 1. NaN and infinities are counted and are no part of all
/// else.
struct TensorStatistics {
  std::uint64_t finite = 0;
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  std::uint64_t zeros = 0;
  double minimum = 0.0;  // this and the next: 0 if no element is finite
  double maximum = 0.0;
  double mean = 0.0;
  double deviation = 0.0;  // standard deviation, of all elements and not of a sample
  /// Elements in parts of equal width from `minimum` to `maximum`, which is in the last one. One part if
  /// these are the same, none if no element is finite.
  std::vector<std::uint64_t> histogram;
};

/// Reads the tensor twice, in parts. nullopt: it is absent, or of complex numbers or a dtype without a number
/// format that is known here. Errors: DataError of write_row_major().
std::optional<TensorStatistics> statistics_of(const Tensor& tensor, std::size_t bins,
                                              const schemagen::Limits& limits = {});

}  // namespace pt2
