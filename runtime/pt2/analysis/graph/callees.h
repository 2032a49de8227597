// What higher-order operators call. All functions may be called from several threads at once.
#pragma once

#include <cstddef>

#include "pt2/types.h"

namespace pt2 {

/// Whether torch calls the input at position `input` of `node`, as higher-order operators do with graphs and
/// operators. Source: the operators of torch 2.13, torch/_higher_order_ops.
bool is_called(const Node& node, std::size_t input);

}  // namespace pt2
