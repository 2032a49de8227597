// Converts dtypes, layouts and memory formats to and from their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// Returns torch's name without its module: `float32`, `sparse_coo`, `_mkldnn`, `channels_last`; `unknown`
/// for UNKNOWN; empty for a number without a name. Source: torch/_export/serde/serialize.py.
std::string_view torch_name(ScalarType dtype);
std::string_view torch_name(Layout layout);
std::string_view torch_name(MemoryFormat format);

/// Returns the dtype with this name, with or without "torch." in front, or nullopt. Accepts aliases such as
/// half and long.
std::optional<ScalarType> dtype_named(std::string_view name);
std::optional<Layout> layout_named(std::string_view name);
std::optional<MemoryFormat> memory_format_named(std::string_view name);

/// Returns a short name: `f32`, `i64`, `bool`, `f8e4m3fn`; `unknown` or empty as in torch_name().
std::string_view short_name(ScalarType dtype);

/// torch's device types. Builds with a custom backend may have one more. Source: c10/core/Device.cpp.
inline constexpr std::string_view kDeviceTypes[] = {
    "cpu",  "cuda", "ipu", "xpu",  "mkldnn", "opengl", "opencl", "ideep", "hip",  "ve",
    "fpga", "maia", "xla", "lazy", "vulkan", "mps",    "meta",   "hpu",   "mtia", "privateuseone"};
bool is_device_type(std::string_view name);
/// Throws UsageError, which lists the known types, if `name` is not one of them.
void require_device_type(std::string_view name);

/// Returns torch's name of the device: `cpu`, `cuda:1`.
std::string torch_name(const Device& device);

/// Returns the number of bytes of one element; nullopt for an unknown dtype.
std::optional<std::int64_t> element_bytes(ScalarType dtype);
bool is_complex(ScalarType dtype) noexcept;

}  // namespace pt2
