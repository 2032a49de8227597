// Results of operators that make tensors.
#include "pt2/infer/rules.h"

#include <cmath>
#include <utility>

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

std::vector<ValueType> of_whole_numbers(const InferredCall& call) {
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

/// How many numbers there are from `start` to `end`.
Size range_count(const InferredCall& call, std::string_view start, std::string_view end,
                 std::string_view step) {
  const auto is_whole = [&](std::string_view name) {
    return !call.declares(name) || number_dtype(call.arguments.at(name).value()) == ScalarType::LONG;
  };
  if (is_whole(start) && is_whole(end) && is_whole(step)) {
    const Size stride = call.declares(step) ? call.size(step) : Size(1);
    const Size first = call.declares(start) ? call.size(start) : Size(0);
    const std::int64_t sign = stride.number().value_or(1) < 0 ? -1 : 1;
    return floor_div(call.size(end) - first + stride - Size(sign), stride);
  }
  const double stride = call.declares(step) ? call.arguments.get_float(step) : 1;
  const double first = call.declares(start) ? call.arguments.get_float(start) : 0;
  const double count = std::ceil((call.arguments.get_float(end) - first) / stride);
  require(count >= 0 && count < 1e18, "a range has no such number of items");
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

/// In memory in the order of `physical_layout`.
std::vector<ValueType> permuted(const InferredCall& call) {
  TensorType result(call.dtype(ScalarType::FLOAT), call.sizes("size"), device_of(call, {"cpu", {}}));
  const std::vector<std::int64_t> order = call.arguments.get_ints("physical_layout");
  Size stride = 1;
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

const NamedRules& factory_rules() {
  static const NamedRules rules = {{"empty", of_size},
                                   {"zeros", of_size},
                                   {"ones", of_size},
                                   {"rand", of_size},
                                   {"randn", of_size},
                                   {"randint", of_whole_numbers},
                                   {"full", full},
                                   {"empty_like", like},
                                   {"zeros_like", like},
                                   {"ones_like", like},
                                   {"full_like", like},
                                   {"rand_like", like},
                                   {"randn_like", like},
                                   {"new_empty", of_size_like},
                                   {"new_zeros", of_size_like},
                                   {"new_ones", of_size_like},
                                   {"new_full", of_size_like},
                                   {"arange", arange},
                                   {"linspace", linspace},
                                   {"eye", eye},
                                   {"scalar_tensor", scalar_tensor},
                                   {"prims.iota", iota},
                                   {"empty_strided", with_strides},
                                   {"new_empty_strided", with_strides},
                                   {"empty_permuted", permuted},
                                   {"bernoulli", like},
                                   {"normal_functional", like},
                                   {"randint_like", like},
                                   {"randperm", permutation},
                                   {"logspace", linspace},
                                   {"hann_window", window},
                                   {"hamming_window", window},
                                   {"bartlett_window", window},
                                   {"blackman_window", window}};
  return rules;
}

}  // namespace pt2
