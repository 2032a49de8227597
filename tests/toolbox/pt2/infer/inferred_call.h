// A call is text: `aten.cat.default([f32[2, 3], f32[2, 4]], 1)`.
#pragma once

#include <string>
#include <string_view>

/// Types of results: `f32[2, 7]`, `f32[3, 2][1, 3]+4` with strides and offset unless they are those of a new
/// row-major tensor, `int s0 + 1`, `float`, `bool`; `unknown` without a rule. Throws DataError as
/// infer_results() does.
///
/// Arguments are such tensors, numbers, `true`, `false`, `none`, dtypes (`f16`), memory formats
/// (`channels_last`), strings ('ij,jk'), lists of these, and keyword arguments: `dim=1`. The symbols `s0` and
/// `s1` have the hints 5 and 7. `autocast` is the mode's dtype, on a CPU.
///
/// tests/interop/torch_infer_test.py compares the calls in CHECK(inferred("...") == "...") with torch.
std::string inferred(std::string_view call, std::string_view autocast = {});

std::string inference_error(std::string_view call);
