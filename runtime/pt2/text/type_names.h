// Converts dtypes, layouts and memory formats to and from their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// In the order in which torch promotes them.
enum class DtypeKind { unknown, boolean, unsigned_integer, signed_integer, floating, complex };

struct Dtype {
  ScalarType value;
  DtypeKind kind;
  std::int64_t bytes;            // of an element
  std::string_view torch;        // e.g. `float32`
  std::string_view brief;        // e.g. `f32`
  std::string_view other;        // torch's alias, e.g. `float`, or empty
  std::string_view safetensors;  // e.g. `F32`; empty if the format lacks the dtype
  std::string_view numpy;        // e.g. `f4`; empty if NumPy lacks the dtype
  int dlpack;                    // the type code
};

inline constexpr Dtype kDtypes[] = {
    {ScalarType::UNKNOWN, DtypeKind::unknown, 0, "unknown", "unknown", "", "", "", -1},
    {ScalarType::BYTE, DtypeKind::unsigned_integer, 1, "uint8", "u8", "", "U8", "u1", 1},
    {ScalarType::CHAR, DtypeKind::signed_integer, 1, "int8", "i8", "", "I8", "i1", 0},
    {ScalarType::SHORT, DtypeKind::signed_integer, 2, "int16", "i16", "short", "I16", "i2", 0},
    {ScalarType::INT, DtypeKind::signed_integer, 4, "int32", "i32", "int", "I32", "i4", 0},
    {ScalarType::LONG, DtypeKind::signed_integer, 8, "int64", "i64", "long", "I64", "i8", 0},
    {ScalarType::HALF, DtypeKind::floating, 2, "float16", "f16", "half", "F16", "f2", 2},
    {ScalarType::FLOAT, DtypeKind::floating, 4, "float32", "f32", "float", "F32", "f4", 2},
    {ScalarType::DOUBLE, DtypeKind::floating, 8, "float64", "f64", "double", "F64", "f8", 2},
    {ScalarType::COMPLEXHALF, DtypeKind::complex, 4, "complex32", "c32", "chalf", "", "", 5},
    {ScalarType::COMPLEXFLOAT, DtypeKind::complex, 8, "complex64", "c64", "cfloat", "C64", "c8", 5},
    {ScalarType::COMPLEXDOUBLE, DtypeKind::complex, 16, "complex128", "c128", "cdouble", "", "c16", 5},
    {ScalarType::BOOL, DtypeKind::boolean, 1, "bool", "bool", "", "BOOL", "b1", 6},
    {ScalarType::BFLOAT16, DtypeKind::floating, 2, "bfloat16", "bf16", "", "BF16", "", 4},
    {ScalarType::UINT16, DtypeKind::unsigned_integer, 2, "uint16", "u16", "", "U16", "u2", 1},
    {ScalarType::FLOAT8E4M3FN, DtypeKind::floating, 1, "float8_e4m3fn", "f8e4m3fn", "", "F8_E4M3", "", 10},
    {ScalarType::FLOAT8E5M2, DtypeKind::floating, 1, "float8_e5m2", "f8e5m2", "", "F8_E5M2", "", 12},
    {ScalarType::FLOAT8E4M3FNUZ, DtypeKind::floating, 1, "float8_e4m3fnuz", "f8e4m3fnuz", "", "F8_E4M3FNUZ",
     "", 11},
    {ScalarType::FLOAT8E5M2FNUZ, DtypeKind::floating, 1, "float8_e5m2fnuz", "f8e5m2fnuz", "", "F8_E5M2FNUZ",
     "", 13},
    {ScalarType::FLOAT8E8M0FNU, DtypeKind::floating, 1, "float8_e8m0fnu", "f8e8m0fnu", "", "F8_E8M0", "", 14},
    {ScalarType::UINT32, DtypeKind::unsigned_integer, 4, "uint32", "u32", "", "U32", "u4", 1},
    {ScalarType::UINT64, DtypeKind::unsigned_integer, 8, "uint64", "u64", "", "U64", "u8", 1},
};

/// Returns the row of kDtypes, or a row with empty names for a number that is not an enumerator.
const Dtype& dtype_row(ScalarType dtype) noexcept;

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

/// Returns the device with this name. The index is unset if the name has none or one that is not an integer.
Device device_named(std::string_view name);

/// Returns the size of one element in bytes, or nullopt for an unknown dtype.
std::optional<std::int64_t> element_bytes(ScalarType dtype);
bool is_float(ScalarType dtype) noexcept;
bool is_complex(ScalarType dtype) noexcept;

}  // namespace pt2
