#include "pt2/strings/argument_text.h"

#include <algorithm>

#include "pt2/schema_info.h"
#include "pt2/strings/expression_value.h"
#include "pt2/text/literal.h"
#include "pt2/text/numbers.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

// Many values can have one type.
constexpr std::size_t kLongestParsed = 4096;
constexpr std::size_t kLongestSizes = 1000;

template <class E>
std::string name_or_number(std::string_view name, const char* what, E value) {
  if (!name.empty()) return std::string(name);
  return std::string(what) + "(" + std::to_string(static_cast<std::int32_t>(value)) + ")";
}

template <auto Literal, class T, class Number>
std::string symbolic_text(const T& value, std::string (*literal_text)(Number)) {
  if (const auto* const expression = value.template get_if<T::as_expr>()) {
    const std::string& text = expression->expr_str;
    return text.size() > kLongestParsed ? schemagen::printable_start(text) : expression_text(text);
  }
  const auto* const literal = value.template get_if<Literal>();
  return literal == nullptr ? "?" : literal_text(*literal);
}

std::string sizes_text(const std::vector<SymInt>& sizes) {
  std::string text;
  for (const SymInt& size : sizes) {
    if (text.size() > kLongestSizes) return text + ", ...";
    text += (text.empty() ? "" : ", ") + sym_int_text(size);
  }
  return text;
}

}  // namespace

std::string dtype_text(ScalarType dtype) {
  return name_or_number(short_name(dtype), "dtype", dtype);
}

std::string enumerator_text(ScalarType dtype) {
  return name_or_number(name_of(dtype), "dtype", dtype);
}

std::string layout_text(Layout layout) {
  return name_or_number(torch_name(layout), "layout", layout);
}

std::string memory_format_text(MemoryFormat format) {
  return name_or_number(torch_name(format), "memory_format", format);
}

std::string device_text(const Device& device) {
  return printable(torch_name(device));
}

std::string sym_int_text(const SymInt& value) {
  return symbolic_text<SymInt::as_int>(value, int_literal);
}

std::string sym_float_text(const SymFloat& value) {
  return symbolic_text<SymFloat::as_float>(value, float_literal);
}

std::string sym_bool_text(const SymBool& value) {
  return symbolic_text<SymBool::as_bool>(value, bool_literal);
}

std::string tensor_type_text(const TensorMeta& meta) {
  std::string text = dtype_text(meta.dtype) + "[" + sizes_text(meta.sizes) + "]";
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
    is_zero = is_zero || *number == 0;
    const auto product = checked_product(count, std::max<std::int64_t>(*number, 1));
    if (!product) return std::nullopt;
    count = *product;
  }
  return is_zero ? 0 : count;
}

}  // namespace pt2
