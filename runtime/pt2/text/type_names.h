// Converts dtypes, layouts and memory formats to and from their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// Returns the value's name in the module `torch`, e.g. `float32`, `sparse_coo`, `_mkldnn` or
/// `channels_last`. Returns `unknown` for UNKNOWN, and an empty string for a number that is not an
/// enumerator. Source: torch/_export/serde/serialize.py.
std::string_view torch_name(ScalarType dtype);
std::string_view torch_name(Layout layout);
std::string_view torch_name(MemoryFormat format);

/// Returns the dtype with this name, or nullopt. The name can start with `torch.`. Aliases such as `half` and
/// `long` are accepted.
std::optional<ScalarType> dtype_named(std::string_view name);
std::optional<Layout> layout_named(std::string_view name);
std::optional<MemoryFormat> memory_format_named(std::string_view name);

/// Returns a short name, e.g. `f32`, `i64`, `bool` or `f8e4m3fn`. Returns `unknown` or an empty string in the
/// same cases as torch_name().
std::string_view short_name(ScalarType dtype);

/// The types of devices that torch knows. A torch build with a custom backend can have one more. Source:
/// c10/core/Device.cpp.
inline constexpr std::string_view kDeviceTypes[] = {
    "cpu",  "cuda", "ipu", "xpu",  "mkldnn", "opengl", "opencl", "ideep", "hip",  "ve",
    "fpga", "maia", "xla", "lazy", "vulkan", "mps",    "meta",   "hpu",   "mtia", "privateuseone"};
bool is_device_type(std::string_view name);
/// Throws UsageError if `name` is not a device type. The message lists the known types.
void require_device_type(std::string_view name);

/// Returns torch's name for the device, e.g. `cpu` or `cuda:1`.
std::string torch_name(const Device& device);

/// Returns the size of one element in bytes, or nullopt for an unknown dtype.
std::optional<std::int64_t> element_bytes(ScalarType dtype);
bool is_complex(ScalarType dtype) noexcept;

}  // namespace pt2
