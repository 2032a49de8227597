#include "pt2/infer/rules.h"

#include <cmath>

#include "pt2/text/literal.h"

namespace pt2 {
namespace {

Device device_of(const InferredCall& call, const Device& usual) {
  return call.has("device") ? call.arguments.get_device("device") : usual;
}

Results made(const InferredCall& call, ScalarType dtype, Sizes sizes) {
  return {TensorType(call.dtype(dtype), std::move(sizes), device_of(call, {"cpu", {}}))};
}

Results full(const InferredCall& call) {
  return made(call, number_dtype(call.arguments.at("fill_value").value()).value_or(ScalarType::FLOAT),
              call.sizes("size"));
}

Results like(const InferredCall& call, const TensorType& self) {
  const ScalarType dtype = call.dtype(self.dtype);
  TensorType result =
      call.declares("size") ? contiguous_like(self, dtype, call.sizes("size")) : in_format(call, self, dtype);
  result.device = device_of(call, self.device);
  return {result};
}

Size checked_count(double count, int least) {
  if (count >= least && count < 1e18) return static_cast<std::int64_t>(count);
  fail_inference("expected a length from ", least, " to 1e18, got ", float_literal(count));
}

Results arange(const InferredCall& call) {
  const bool has_start = call.declares("start");
  const bool has_step = call.declares("step");
  bool is_integer = true;
  for (const char* name : {"start", "end", "step"}) {
    const bool is_other =
        call.declares(name) && number_dtype(call.arguments.at(name).value()) != ScalarType::LONG;
    is_integer = is_integer && !is_other;
  }
  if (!is_integer) {
    const double step = has_step ? call.arguments.get_float("step") : 1;
    const double start = has_start ? call.arguments.get_float("start") : 0;
    const double count = std::ceil((call.arguments.get_float("end") - start) / step);
    return made(call, ScalarType::FLOAT, {checked_count(count, 0)});
  }
  const Size step = has_step ? call.size("step") : Size(1);
  const Size start = has_start ? call.size("start") : Size(0);
  const std::int64_t sign = step.number().value_or(1) < 0 ? -1 : 1;
  const Size count = floor_div(call.size("end") - start + step - Size(sign), step);
  require(count.number().value_or(0) >= 0, "the step leads away from the end of the range");
  return made(call, ScalarType::LONG, {count});
}

/// Includes the end.
Results range(const InferredCall& call) {
  const double step = call.declares("step") ? call.arguments.get_float("step") : 1;
  const double length = call.arguments.get_float("end") - call.arguments.get_float("start");
  return made(call, ScalarType::FLOAT, {checked_count(std::floor(length / step) + 1, 1)});
}

Results eye(const InferredCall& call) {
  const Size rows = call.size("n");
  return made(call, ScalarType::FLOAT, {rows, call.declares("m") ? call.size("m") : rows});
}

Results with_strides(const InferredCall& call) {
  Results results = call.declares("self") ? like(call, call.tensor("self"))
                                          : made(call, ScalarType::FLOAT, call.sizes("size"));
  auto& result = std::get<TensorType>(results.front());
  result.strides = call.sizes("stride");
  require_same_count(result.strides.size(), "stride", result.sizes.size(), "size");
  return results;
}

/// `physical_layout` is the order in memory.
Results permuted(const InferredCall& call) {
  TensorType result(call.dtype(ScalarType::FLOAT), call.sizes("size"), device_of(call, {"cpu", {}}));
  const std::vector<std::int64_t> order = call.arguments.get_ints("physical_layout");
  require_same_count(order.size(), "physical_layout dim", result.sizes.size(), "size");
  result.strides = strides_in(InferredCall::dims_of(order, order.size()), result.sizes);
  return {result};
}

Results scalar_tensor(const InferredCall& call) {
  return made(call, ScalarType::FLOAT, {});
}

}  // namespace

NamedRules factory_rules() {
  return {
      {described, "new size float dtype",
       "empty zeros _efficientzerotensor ones rand randn normal.float_float"},
      {described, "new size long dtype", "randint"},
      {full, "full"},
      {like,
       "empty_like zeros_like ones_like full_like rand_like randn_like bernoulli normal_functional "
       "randint_like new_empty new_zeros new_ones new_full"},
      {arange, "arange"},
      {range, "range"},
      {described, "new steps float dtype", "linspace logspace"},
      {eye, "eye"},
      {scalar_tensor, "scalar_tensor"},
      {described, "new length long dtype", "prims.iota"},
      {with_strides, "empty_strided new_empty_strided"},
      {permuted, "empty_permuted"},
      {described, "new n long dtype", "randperm"},
      {described, "new window_length float dtype",
       "kaiser_window hann_window hamming_window bartlett_window blackman_window"},
  };
}

}  // namespace pt2
