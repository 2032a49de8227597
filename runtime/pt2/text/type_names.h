// The names of dtypes, layouts and memory formats, both ways.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// What torch calls it, without the name of its module: `float32`, `sparse_coo`, `_mkldnn`, `channels_last`.
/// `unknown` for the enumerator of that name; empty for a number without a name.
/// Source: torch/_export/serde/serialize.py.
std::string_view torch_name(ScalarType dtype);
std::string_view torch_name(Layout layout);
std::string_view torch_name(MemoryFormat format);

/// What goes by that name, with or without torch's before it (`torch.half`); nullopt: nothing does. `half`,
/// `long` and the like are other names of torch for dtypes.
std::optional<ScalarType> dtype_named(std::string_view name);
std::optional<Layout> layout_named(std::string_view name);
std::optional<MemoryFormat> memory_format_named(std::string_view name);

/// `f32`, `i64`, `bool`, `f8e4m3fn`; `unknown`, or empty, as torch_name().
std::string_view short_name(ScalarType dtype);

/// The types of devices that torch knows. Builds with a backend of their own may have another.
/// Source: c10/core/Device.cpp.
inline constexpr std::string_view kDeviceTypes[] = {
    "cpu",  "cuda", "ipu", "xpu",  "mkldnn", "opengl", "opencl", "ideep", "hip",  "ve",
    "fpga", "maia", "xla", "lazy", "vulkan", "mps",    "meta",   "hpu",   "mtia", "privateuseone"};
bool is_device_type(std::string_view name);

/// What torch calls the device: `cpu`, `cuda:1`.
std::string torch_name(const Device& device);

/// Bytes of one element; nullopt if the dtype is not known.
std::optional<std::int64_t> element_bytes(ScalarType dtype);
bool is_complex(ScalarType dtype) noexcept;

}  // namespace pt2
