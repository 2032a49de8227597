#include "pt2/text/type_names.h"

#include <algorithm>
#include <iterator>

#include "pt2/text/affix.h"
#include "pt2/text/numbers.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

template <class E>
struct Name {
  E value;
  std::string_view torch;
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

/// A row without names for a number that is not an enumerator.
template <class Row, std::size_t N, class E>
const Row& row_of(const Row (&rows)[N], E value) noexcept {
  static constexpr Row kUnlisted{};
  for (const Row& row : rows) {
    if (row.value == value) return row;
  }
  return kUnlisted;
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

const Dtype& dtype_row(ScalarType dtype) noexcept {
  return row_of(kDtypes, dtype);
}

std::string_view torch_name(ScalarType dtype) {
  return row_of(kDtypes, dtype).torch;
}
std::string_view torch_name(Layout layout) {
  return row_of(kLayouts, layout).torch;
}
std::string_view torch_name(MemoryFormat format) {
  return row_of(kMemoryFormats, format).torch;
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
  return dtype_row(dtype).brief;
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

Device device_named(std::string_view name) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  Device device;
  device.type = name.substr(0, colon);
  if (colon < name.size()) device.index = integer_of_text(name.substr(colon + 1));
  return device;
}

std::optional<std::int64_t> element_bytes(ScalarType dtype) {
  const std::int64_t bytes = dtype_row(dtype).bytes;
  return bytes == 0 ? std::nullopt : std::optional(bytes);
}

bool is_float(ScalarType dtype) noexcept {
  return dtype_row(dtype).kind == DtypeKind::floating;
}

bool is_complex(ScalarType dtype) noexcept {
  return dtype_row(dtype).kind == DtypeKind::complex;
}

}  // namespace pt2
