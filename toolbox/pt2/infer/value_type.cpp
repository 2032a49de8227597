#include "pt2/infer/infer.h"

#include <string>
#include <string_view>
#include <utility>

#include "pt2/text/expression.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"

namespace pt2 {

std::vector<Size> row_major_strides(const std::vector<Size>& sizes) {
  std::vector<Size> strides(sizes.size());
  Size stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride = stride * larger(sizes[i], 1);
  }
  return strides;
}

Size element_count(const std::vector<Size>& sizes) {
  Size count = 1;
  for (const Size& size : sizes) count = count * size;
  return count;
}

Bindings hints_of(const Graph& graph) {
  Bindings hints;
  schemagen::Set known;  // parses each text once
  const auto add = [&](const SymInt& size) {
    const auto* const expression = size.get_if<SymInt::as_expr>();
    if (expression == nullptr || !expression->hint || !expression->hint->is<SymExprHint::as_int>()) return;
    if (!known.insert(expression->expr_str)) return;
    const Expression parsed = parse_expression(expression->expr_str);
    if (!parsed.symbol().empty())
      hints.insert(std::string(parsed.symbol()), expression->hint->get<SymExprHint::as_int>());
  };
  for (const auto& [name, meta] : graph.tensor_values) {
    for (const SymInt& size : meta.sizes) add(size);
  }
  for (const auto& [name, value] : graph.sym_int_values) add(value);
  return hints;
}

TensorType::TensorType(ScalarType element, std::vector<Size> shape, Device place)
    : dtype(element), sizes(std::move(shape)), strides(row_major_strides(sizes)), device(std::move(place)) {}

TensorType::TensorType(const TensorMeta& meta, SizeTexts& texts)
    : dtype(meta.dtype),
      offset(texts.size(meta.storage_offset)),
      device(meta.device),
      requires_grad(meta.requires_grad),
      layout(meta.layout) {
  if (meta.sizes.size() != meta.strides.size()) {
    throw schemagen::DataError(schemagen::counted(meta.sizes.size(), "size") + " for " +
                               schemagen::counted(meta.strides.size(), "stride"));
  }
  sizes.reserve(meta.sizes.size());
  strides.reserve(meta.strides.size());
  for (const SymInt& size : meta.sizes) sizes.push_back(texts.size(size));
  for (const SymInt& stride : meta.strides) strides.push_back(texts.size(stride));
}

TensorType::TensorType(const TensorMeta& meta) {
  SizeTexts texts;
  *this = TensorType(meta, texts);
}

TensorMeta TensorType::meta(const Bindings& hints) const {
  TensorMeta meta;
  meta.dtype = dtype;
  meta.sizes.reserve(sizes.size());
  meta.strides.reserve(strides.size());
  for (const Size& size : sizes) meta.sizes.push_back(size.sym_int(hints));
  for (const Size& stride : strides) meta.strides.push_back(stride.sym_int(hints));
  meta.storage_offset = offset.sym_int(hints);
  meta.device = device;
  meta.requires_grad = requires_grad;
  meta.layout = layout;
  return meta;
}

}  // namespace pt2
