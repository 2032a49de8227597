#include "pt2/verify/check.h"

#include <limits>
#include <optional>

#include "pt2/schema_info.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

const std::int64_t* number(const SymInt& value) {
  return value.get_if<SymInt::as_int>();
}

bool can_have_gradients(ScalarType dtype) {
  return find_dtype(dtype) == nullptr || is_float(dtype) || is_complex(dtype);
}

struct MetaProblem {
  RuleId rule;
  std::string member;
  std::string message;
};

std::optional<MetaProblem> shape_problem(const TensorMeta& meta) {
  if (meta.sizes.size() != meta.strides.size()) {
    return MetaProblem{RuleId::meta_rank, ".strides",
                       schemagen::counted(meta.strides.size(), "stride") + " for " +
                           schemagen::counted(meta.sizes.size(), "dimension")};
  }
  for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
    const std::int64_t* const size = number(meta.sizes[i]);
    if (size != nullptr && *size < 0) {
      return MetaProblem{RuleId::meta_size, at_index(".sizes", i),
                         "size " + std::to_string(*size) + " is negative"};
    }
    const std::int64_t* const stride = number(meta.strides[i]);
    if (stride != nullptr && *stride < 0) {
      return MetaProblem{RuleId::meta_stride, at_index(".strides", i),
                         "stride " + std::to_string(*stride) + " is negative"};
    }
  }
  const std::int64_t* const offset = number(meta.storage_offset);
  if (offset != nullptr && *offset < 0) {
    return MetaProblem{RuleId::meta_stride, ".storage_offset",
                       "storage offset " + std::to_string(*offset) + " is negative"};
  }
  return std::nullopt;
}

bool fits_memory(const TensorMeta& meta) {
  constexpr double kMost = static_cast<double>(std::numeric_limits<std::int64_t>::max());
  double last = 0;
  for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
    const std::int64_t* const size = number(meta.sizes[i]);
    const std::int64_t* const stride = number(meta.strides[i]);
    if (size == nullptr || stride == nullptr) continue;
    if (*size == 0) return true;
    last += static_cast<double>(*size - 1) * static_cast<double>(*stride);
  }
  return 16 * last < kMost;
}

std::optional<MetaProblem> kind_problem(const TensorMeta& meta) {
  const std::string dtype = unknown_number(meta.dtype);
  if (!dtype.empty()) return MetaProblem{RuleId::meta_dtype, ".dtype", "unknown dtype " + dtype};
  const std::string layout = unknown_number(meta.layout);
  if (!layout.empty()) return MetaProblem{RuleId::meta_layout, ".layout", "unknown layout " + layout};
  if (meta.requires_grad && !can_have_gradients(meta.dtype)) {
    return MetaProblem{RuleId::meta_gradient, ".requires_grad",
                       "a tensor of " + std::string(name_of(meta.dtype)) + " cannot have gradients"};
  }
  return std::nullopt;
}

std::optional<MetaProblem> device_problem(const Device& device) {
  if (!is_device_type(device.type)) {
    return MetaProblem{RuleId::meta_device, ".type",
                       "torch has no device type " + schemagen::quoted(device.type)};
  }
  // c10::Device stores the index in 8 bits.
  if (device.index && (*device.index < 0 || *device.index > 127)) {
    return MetaProblem{RuleId::meta_device_index, ".index",
                       "expected an index from 0 to 127, found " + std::to_string(*device.index)};
  }
  return std::nullopt;
}

void check_meta(Check& check, const Check::Scope& scope, const std::string& name, const TensorMeta& meta) {
  const auto report = [&](const char* member, const std::optional<MetaProblem>& problem) {
    if (!problem) return;
    check.add(problem->rule,
              check.path_of_entry(scope, ValueName::Table::tensors, name) + member + problem->member,
              problem->message + " (" + schemagen::quoted(name) + ")");
  };
  const std::optional<MetaProblem> shape = shape_problem(meta);
  report("", shape);
  if (!shape && !fits_memory(meta)) {
    report("", MetaProblem{RuleId::meta_size, ".sizes", "the size in bytes does not fit in 64 bits"});
  }
  report("", kind_problem(meta));
  report(".device", device_problem(meta.device));
}

}  // namespace

void check_device(Check& check, const Device& device, const std::function<std::string()>& path) {
  if (const auto problem = device_problem(device)) {
    check.add(problem->rule, path() + problem->member, problem->message);
  }
}

void check_metas(Check& check) {
  for (const Check::Scope& scope : check.index().scopes()) {
    for (const auto& entry : scope.index.graph().tensor_values) {
      check_meta(check, scope, entry.key(), entry.value);
    }
  }
}

}  // namespace pt2
