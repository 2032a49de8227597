#include "pt2/text/type_names.h"

#include <algorithm>
#include <iterator>

#include "pt2/text/affix.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

template <class E>
struct Name {
  E value;
  std::string_view torch;
};

struct Dtype {
  ScalarType value;
  std::string_view torch;
  std::string_view brief;
  std::int64_t bytes;
  std::string_view other = {};
};

constexpr Dtype kDtypes[] = {
    {ScalarType::UNKNOWN, "unknown", "unknown", 0},
    {ScalarType::BYTE, "uint8", "u8", 1},
    {ScalarType::CHAR, "int8", "i8", 1},
    {ScalarType::SHORT, "int16", "i16", 2, "short"},
    {ScalarType::INT, "int32", "i32", 4, "int"},
    {ScalarType::LONG, "int64", "i64", 8, "long"},
    {ScalarType::HALF, "float16", "f16", 2, "half"},
    {ScalarType::FLOAT, "float32", "f32", 4, "float"},
    {ScalarType::DOUBLE, "float64", "f64", 8, "double"},
    {ScalarType::COMPLEXHALF, "complex32", "c32", 4, "chalf"},
    {ScalarType::COMPLEXFLOAT, "complex64", "c64", 8, "cfloat"},
    {ScalarType::COMPLEXDOUBLE, "complex128", "c128", 16, "cdouble"},
    {ScalarType::BOOL, "bool", "bool", 1},
    {ScalarType::BFLOAT16, "bfloat16", "bf16", 2},
    {ScalarType::UINT16, "uint16", "u16", 2},
    {ScalarType::FLOAT8E4M3FN, "float8_e4m3fn", "f8e4m3fn", 1},
    {ScalarType::FLOAT8E5M2, "float8_e5m2", "f8e5m2", 1},
    {ScalarType::FLOAT8E4M3FNUZ, "float8_e4m3fnuz", "f8e4m3fnuz", 1},
    {ScalarType::FLOAT8E5M2FNUZ, "float8_e5m2fnuz", "f8e5m2fnuz", 1},
    {ScalarType::FLOAT8E8M0FNU, "float8_e8m0fnu", "f8e8m0fnu", 1},
    {ScalarType::UINT32, "uint32", "u32", 4},
    {ScalarType::UINT64, "uint64", "u64", 8},
};

constexpr Name<Layout> kLayouts[] = {
    {Layout::Unknown, "unknown"},      {Layout::SparseCoo, "sparse_coo"}, {Layout::SparseCsr, "sparse_csr"},
    {Layout::SparseCsc, "sparse_csc"}, {Layout::SparseBsr, "sparse_bsr"}, {Layout::SparseBsc, "sparse_bsc"},
    {Layout::_mkldnn, "_mkldnn"},      {Layout::Strided, "strided"},
};

constexpr Name<MemoryFormat> kMemoryFormats[] = {
    {MemoryFormat::Unknown, "unknown"},
    {MemoryFormat::ContiguousFormat, "contiguous_format"},
    {MemoryFormat::ChannelsLast, "channels_last"},
    {MemoryFormat::ChannelsLast3d, "channels_last_3d"},
    {MemoryFormat::PreserveFormat, "preserve_format"},
};

template <class Row, std::size_t N, class E>
const Row* row_of(const Row (&rows)[N], E value) {
  for (const Row& row : rows) {
    if (row.value == value) return &row;
  }
  return nullptr;
}

std::string_view without_torch(std::string_view name) {
  constexpr std::string_view kTorch = "torch.";
  return starts_with(name, kTorch) ? name.substr(kTorch.size()) : name;
}

template <class Row, std::size_t N>
auto named(const Row (&rows)[N], std::string_view name) -> std::optional<decltype(rows[0].value)> {
  for (const Row& row : rows) {
    if (row.torch == without_torch(name)) return row.value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view torch_name(ScalarType dtype) {
  const Dtype* const row = row_of(kDtypes, dtype);
  return row == nullptr ? std::string_view() : row->torch;
}
std::string_view torch_name(Layout layout) {
  const auto* const row = row_of(kLayouts, layout);
  return row == nullptr ? std::string_view() : row->torch;
}
std::string_view torch_name(MemoryFormat format) {
  const auto* const row = row_of(kMemoryFormats, format);
  return row == nullptr ? std::string_view() : row->torch;
}

std::optional<ScalarType> dtype_named(std::string_view name) {
  for (const Dtype& row : kDtypes) {
    if (!row.other.empty() && row.other == without_torch(name)) return row.value;
  }
  return named(kDtypes, name);
}
std::optional<Layout> layout_named(std::string_view name) {
  return named(kLayouts, name);
}
std::optional<MemoryFormat> memory_format_named(std::string_view name) {
  return named(kMemoryFormats, name);
}

std::string_view short_name(ScalarType dtype) {
  const Dtype* const row = row_of(kDtypes, dtype);
  return row == nullptr ? std::string_view() : row->brief;
}

bool is_device_type(std::string_view name) {
  return std::find(std::begin(kDeviceTypes), std::end(kDeviceTypes), name) != std::end(kDeviceTypes);
}

void require_device_type(std::string_view name) {
  if (is_device_type(name)) return;
  std::string known;
  for (const std::string_view type : kDeviceTypes) known.append(known.empty() ? "" : ", ").append(type);
  throw schemagen::UsageError("unknown device type " + schemagen::quoted(name) + "; expected one of " +
                              known);
}

std::string torch_name(const Device& device) {
  return device.index ? device.type + ":" + std::to_string(*device.index) : device.type;
}

std::optional<std::int64_t> element_bytes(ScalarType dtype) {
  const Dtype* const row = row_of(kDtypes, dtype);
  return row == nullptr || row->bytes == 0 ? std::nullopt : std::optional(row->bytes);
}

bool is_complex(ScalarType dtype) noexcept {
  return dtype == ScalarType::COMPLEXHALF || dtype == ScalarType::COMPLEXFLOAT ||
         dtype == ScalarType::COMPLEXDOUBLE;
}

}  // namespace pt2
