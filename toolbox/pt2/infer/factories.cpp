#include "pt2/infer/rules.h"

#include <cmath>
#include <utility>

#include "pt2/text/literal.h"

namespace pt2 {
namespace {

Device device_of(const InferredCall& call, const Device& usual) {
  return call.has("device") ? call.arguments.get_device("device") : usual;
}

std::vector<ValueType> made(const InferredCall& call, ScalarType dtype, std::vector<Size> sizes) {
  return {TensorType(call.dtype(dtype), std::move(sizes), device_of(call, {"cpu", {}}))};
}

std::vector<ValueType> of_size(const InferredCall& call) {
  return made(call, ScalarType::FLOAT, call.sizes("size"));
}

std::vector<ValueType> of_integers(const InferredCall& call) {
  return made(call, ScalarType::LONG, call.sizes("size"));
}

std::vector<ValueType> full(const InferredCall& call) {
  return made(call, number_dtype(call.arguments.at("fill_value").value()).value_or(ScalarType::FLOAT),
              call.sizes("size"));
}

std::vector<ValueType> like(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  TensorType result = in_format(call, self, call.dtype(self.dtype));
  result.device = device_of(call, self.device);
  return {result};
}

std::vector<ValueType> of_size_like(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  TensorType result = contiguous_like(self, call.dtype(self.dtype), call.sizes("size"));
  result.device = device_of(call, self.device);
  return {result};
}

Size range_count(const InferredCall& call, std::string_view start, std::string_view end,
                 std::string_view step) {
  const auto is_integer = [&](std::string_view name) {
    return !call.declares(name) || number_dtype(call.arguments.at(name).value()) == ScalarType::LONG;
  };
  if (is_integer(start) && is_integer(end) && is_integer(step)) {
    const Size stride = call.declares(step) ? call.size(step) : Size(1);
    const Size first = call.declares(start) ? call.size(start) : Size(0);
    const std::int64_t sign = stride.number().value_or(1) < 0 ? -1 : 1;
    Size count = floor_div(call.size(end) - first + stride - Size(sign), stride);
    require(count.number().value_or(0) >= 0, "the step leads away from the end of the range");
    return count;
  }
  const double stride = call.declares(step) ? call.arguments.get_float(step) : 1;
  const double first = call.declares(start) ? call.arguments.get_float(start) : 0;
  const double count = std::ceil((call.arguments.get_float(end) - first) / stride);
  if (!(count >= 0 && count < 1e18))
    fail_inference("expected a length from 0 to 1e18, got " + float_literal(count));
  return static_cast<std::int64_t>(count);
}

std::vector<ValueType> arange(const InferredCall& call) {
  ScalarType dtype = ScalarType::LONG;
  for (const char* name : {"start", "end", "step"}) {
    if (!call.declares(name)) continue;
    if (number_dtype(call.arguments.at(name).value()) != ScalarType::LONG) dtype = ScalarType::FLOAT;
  }
  return made(call, dtype, {range_count(call, "start", "end", "step")});
}

/// Includes the end.
std::vector<ValueType> range(const InferredCall& call) {
  const double step = call.declares("step") ? call.arguments.get_float("step") : 1;
  const double count =
      std::floor((call.arguments.get_float("end") - call.arguments.get_float("start")) / step) + 1;
  if (!(count >= 1 && count < 1e18))
    fail_inference("expected a length from 1 to 1e18, got " + float_literal(count));
  return made(call, ScalarType::FLOAT, {static_cast<std::int64_t>(count)});
}

std::vector<ValueType> linspace(const InferredCall& call) {
  return made(call, ScalarType::FLOAT, {call.size("steps")});
}

std::vector<ValueType> eye(const InferredCall& call) {
  const Size rows = call.size("n");
  return made(call, ScalarType::FLOAT, {rows, call.declares("m") ? call.size("m") : rows});
}

std::vector<ValueType> iota(const InferredCall& call) {
  return made(call, ScalarType::LONG, {call.size("length")});
}

std::vector<ValueType> permutation(const InferredCall& call) {
  return made(call, ScalarType::LONG, {call.size("n")});
}

std::vector<ValueType> window(const InferredCall& call) {
  return made(call, ScalarType::FLOAT, {call.size("window_length")});
}

std::vector<ValueType> with_strides(const InferredCall& call) {
  TensorType result(call.dtype(call.declares("self") ? call.tensor("self").dtype : ScalarType::FLOAT),
                    call.sizes("size"),
                    device_of(call, call.declares("self") ? call.tensor("self").device : Device{"cpu", {}}));
  result.strides = call.sizes("stride");
  return {result};
}

/// `physical_layout` is the order in memory.
std::vector<ValueType> permuted(const InferredCall& call) {
  TensorType result(call.dtype(ScalarType::FLOAT), call.sizes("size"), device_of(call, {"cpu", {}}));
  const std::vector<std::int64_t> order = call.arguments.get_ints("physical_layout");
  Size stride = 1;
  require_same_count(order.size(), "physical_layout dim", result.sizes.size(), "size");
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t dim = InferredCall::dim_of(order[i], result.sizes.size());
    result.strides[dim] = stride;
    stride = stride * result.sizes[dim];
  }
  return {result};
}

std::vector<ValueType> scalar_tensor(const InferredCall& call) {
  return made(call, ScalarType::FLOAT, {});
}

}  // namespace

NamedRules factory_rules() {
  return {
      {of_size, "empty zeros _efficientzerotensor ones rand randn normal.float_float"},
      {of_integers, "randint"},
      {full, "full"},
      {like,
       "empty_like zeros_like ones_like full_like rand_like randn_like bernoulli normal_functional "
       "randint_like"},
      {of_size_like, "new_empty new_zeros new_ones new_full"},
      {arange, "arange"},
      {range, "range"},
      {linspace, "linspace logspace"},
      {eye, "eye"},
      {scalar_tensor, "scalar_tensor"},
      {iota, "prims.iota"},
      {with_strides, "empty_strided new_empty_strided"},
      {permuted, "empty_permuted"},
      {permutation, "randperm"},
      {window, "kaiser_window hann_window hamming_window bartlett_window blackman_window"},
  };
}

}  // namespace pt2
