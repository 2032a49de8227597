#include "pt2/show/tensor_type.h"

#include <limits>

#include "pt2/text/expression_text.h"
#include "pt2/text/literal.h"

namespace pt2 {
namespace {

struct DtypeInfo {
  const char* name;
  std::int64_t bytes;  // of one element; 0: not known
};

/// Of a number that has no name: an empty one.
DtypeInfo dtype_info(ScalarType dtype) {
  switch (dtype) {
    case ScalarType::UNKNOWN:
      return {"unknown", 0};
    case ScalarType::BYTE:
      return {"u8", 1};
    case ScalarType::CHAR:
      return {"i8", 1};
    case ScalarType::SHORT:
      return {"i16", 2};
    case ScalarType::INT:
      return {"i32", 4};
    case ScalarType::LONG:
      return {"i64", 8};
    case ScalarType::HALF:
      return {"f16", 2};
    case ScalarType::FLOAT:
      return {"f32", 4};
    case ScalarType::DOUBLE:
      return {"f64", 8};
    case ScalarType::COMPLEXHALF:
      return {"c32", 4};
    case ScalarType::COMPLEXFLOAT:
      return {"c64", 8};
    case ScalarType::COMPLEXDOUBLE:
      return {"c128", 16};
    case ScalarType::BOOL:
      return {"bool", 1};
    case ScalarType::BFLOAT16:
      return {"bf16", 2};
    case ScalarType::UINT16:
      return {"u16", 2};
    case ScalarType::FLOAT8E4M3FN:
      return {"f8e4m3fn", 1};
    case ScalarType::FLOAT8E5M2:
      return {"f8e5m2", 1};
    case ScalarType::FLOAT8E4M3FNUZ:
      return {"f8e4m3fnuz", 1};
    case ScalarType::FLOAT8E5M2FNUZ:
      return {"f8e5m2fnuz", 1};
    case ScalarType::FLOAT8E8M0FNU:
      return {"f8e8m0fnu", 1};
    case ScalarType::UINT32:
      return {"u32", 4};
    case ScalarType::UINT64:
      return {"u64", 8};
  }
  return {nullptr, 0};
}

/// `layout(9)`: a number that the schema has no name for.
template <class E>
std::string numbered(const char* what, E value) {
  return std::string(what) + "(" + std::to_string(static_cast<std::int32_t>(value)) + ")";
}

}  // namespace

std::string dtype_text(ScalarType dtype) {
  const char* const name = dtype_info(dtype).name;
  return name != nullptr ? name : numbered("dtype", dtype);
}

std::optional<std::int64_t> element_bytes(ScalarType dtype) {
  const std::int64_t bytes = dtype_info(dtype).bytes;
  return bytes != 0 ? std::optional(bytes) : std::nullopt;
}

std::string layout_text(Layout layout) {
  switch (layout) {
    case Layout::Unknown:
      return "unknown";
    case Layout::SparseCoo:
      return "sparse_coo";
    case Layout::SparseCsr:
      return "sparse_csr";
    case Layout::SparseCsc:
      return "sparse_csc";
    case Layout::SparseBsr:
      return "sparse_bsr";
    case Layout::SparseBsc:
      return "sparse_bsc";
    case Layout::_mkldnn:
      return "mkldnn";
    case Layout::Strided:
      return "strided";
  }
  return numbered("layout", layout);
}

std::string memory_format_text(MemoryFormat format) {
  switch (format) {
    case MemoryFormat::Unknown:
      return "unknown";
    case MemoryFormat::ContiguousFormat:
      return "contiguous_format";
    case MemoryFormat::ChannelsLast:
      return "channels_last";
    case MemoryFormat::ChannelsLast3d:
      return "channels_last_3d";
    case MemoryFormat::PreserveFormat:
      return "preserve_format";
  }
  return numbered("memory_format", format);
}

std::string device_text(const Device& device) {
  return printable(device.type) + (device.index ? ":" + std::to_string(*device.index) : "");
}

std::string sym_int_text(const SymInt& value) {
  switch (value.kind()) {
    case SymInt::unset:
      break;
    case SymInt::as_expr:
      return expression_text(value.get<SymInt::as_expr>().expr_str);
    case SymInt::as_int:
      return std::to_string(value.get<SymInt::as_int>());
  }
  return "?";
}

std::string sym_float_text(const SymFloat& value) {
  switch (value.kind()) {
    case SymFloat::unset:
      break;
    case SymFloat::as_expr:
      return expression_text(value.get<SymFloat::as_expr>().expr_str);
    case SymFloat::as_float:
      return float_literal(value.get<SymFloat::as_float>());
  }
  return "?";
}

std::string sym_bool_text(const SymBool& value) {
  switch (value.kind()) {
    case SymBool::unset:
      break;
    case SymBool::as_expr:
      return expression_text(value.get<SymBool::as_expr>().expr_str);
    case SymBool::as_bool:
      return value.get<SymBool::as_bool>() ? "True" : "False";
  }
  return "?";
}

std::string tensor_type_text(const TensorMeta& meta) {
  std::string text = dtype_text(meta.dtype) + "[";
  for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    text += (i == 0 ? "" : ", ") + sym_int_text(meta.sizes[i]);
  text += "]";
  if (meta.layout != Layout::Strided && meta.layout != Layout::Unknown) {
    text += "{" + layout_text(meta.layout) + "}";
  }
  if (meta.device.type != "cpu") text += "@" + device_text(meta.device);
  return text;
}

std::optional<std::int64_t> element_count(const TensorMeta& meta) {
  std::int64_t count = 1;
  bool is_zero = false;
  for (const SymInt& size : meta.sizes) {
    const std::int64_t* const number = size.get_if<SymInt::as_int>();
    if (number == nullptr || *number < 0) return std::nullopt;
    if (*number == 0) {
      is_zero = true;
    } else if (count > std::numeric_limits<std::int64_t>::max() / *number) {
      return std::nullopt;
    } else {
      count *= *number;
    }
  }
  return is_zero ? 0 : count;
}

}  // namespace pt2
